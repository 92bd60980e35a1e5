import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import test from 'ava';
import { type EndedSpan, exportRequestOf } from '../../../../sdk/tracing/otlp-json.ts';

const span: EndedSpan = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: '00f067aa0ba902b7',
  name: 'kubernetes-patch',
  kind: SpanKind.INTERNAL,
  start: 1_767_225_600_000.25,
  end: 1_767_225_600_012.5,
  attributes: { method: 'PATCH', port: 443, ratio: 0.5, retried: false, zones: ['a', 'b'] },
  status: { code: SpanStatusCode.ERROR, message: 'conflict' },
};

test('a span is what opentelemetry-proto has in JSON: ids in hex, 64-bit integers as texts, kinds from 1', (t) => {
  t.deepEqual(
    exportRequestOf([span], { resource: { 'service.name': 'sequencer' }, scope: 'it', redact: (text) => text }),
    {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'sequencer' } }] },
          scopeSpans: [
            {
              scope: { name: 'it' },
              spans: [
                {
                  traceId: '0af7651916cd43dd8448eb211c80319c',
                  spanId: 'b7ad6b7169203331',
                  parentSpanId: '00f067aa0ba902b7',
                  name: 'kubernetes-patch',
                  kind: 1,
                  startTimeUnixNano: '1767225600000250000',
                  endTimeUnixNano: '1767225600012500000',
                  attributes: [
                    { key: 'method', value: { stringValue: 'PATCH' } },
                    { key: 'port', value: { intValue: '443' } },
                    { key: 'ratio', value: { doubleValue: 0.5 } },
                    { key: 'retried', value: { boolValue: false } },
                    { key: 'zones', value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } } },
                  ],
                  status: { code: 2, message: 'conflict' },
                },
              ],
            },
          ],
        },
      ],
    },
  );
});

test('long texts are cut', (t) => {
  const long = { ...span, attributes: { url: 'x'.repeat(5_000) }, status: { code: 2, message: 'y'.repeat(5_000) } };
  t.true(JSON.stringify(exportRequestOf([long], { resource: {}, scope: '', redact: (text) => text })).length < 2_600);
});
