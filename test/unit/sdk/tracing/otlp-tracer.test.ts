import { context, SpanKind, trace } from '@opentelemetry/api';
import test from 'ava';
import type { EndedSpan } from '../../../../sdk/tracing/otlp-json.ts';
import { createTracer, followContexts } from '../../../../sdk/tracing/otlp-tracer.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';

function traced() {
  const clock = createManualClock();
  const ended: EndedSpan[] = [];
  return { clock, ended, tracer: createTracer(clock, (span) => ended.push(span)) };
}

test('a span has its times by the monotonic clock, its attributes and its status, and ends once', async (t) => {
  const { clock, ended, tracer } = traced();
  const span = tracer.startSpan('walk', { kind: SpanKind.CLIENT, attributes: { a: 1 } });
  await clock.advance(1_500);
  t.true(span.isRecording());
  span.setAttribute('b', 'x').setStatus({ code: 2, message: 'no' }).updateName('walked').end();
  span.end();
  t.false(span.isRecording());
  t.is(ended.length, 1);
  const { start, ...rest } = ended[0]!;
  t.like(rest, { name: 'walked', kind: SpanKind.CLIENT, attributes: { a: 1, b: 'x' }, end: start + 1_500 });
  t.deepEqual(rest.status, { code: 2, message: 'no' });
  t.is(rest.parentSpanId, undefined);
});

test('what a task begins is a child of its span, however much later, and what is a root is none', async (t) => {
  t.teardown(followContexts());
  const { ended, tracer } = traced();
  await tracer.startActiveSpan('outer', async (outer) => {
    await new Promise((resolve) => setImmediate(resolve));
    tracer.startSpan('inner').end();
    tracer.startSpan('alone', { root: true }).end();
    outer.end();
  });
  const [inner, alone, outer] = ended;
  t.is(inner?.parentSpanId, outer?.spanId);
  t.is(inner?.traceId, outer?.traceId);
  t.is(alone?.parentSpanId, undefined);
  t.not(alone?.traceId, outer?.traceId);
  t.is(trace.getSpan(context.active()), undefined);
});
