/** Spans as OTLP sends them over HTTP: the JSON of opentelemetry-proto, `ExportTraceServiceRequest`. */

import type { Attributes, AttributeValue, SpanKind, SpanStatus } from '@opentelemetry/api';
import { cutText } from '../cut-text.ts';

/** Span that has ended. Times are ms since the epoch, with fractions. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent: the root of its trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
}

/** Characters of a text that are sent. */
const maxLength = 1024;

/** Nanoseconds as a decimal text: 64-bit integers are texts in protobuf's JSON. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

function anyValueOf(value: AttributeValue | null | undefined): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValueOf) } };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { stringValue: cutText(String(value ?? ''), maxLength) };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const attributesOf = (attributes: Attributes): readonly object[] =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: anyValueOf(value) }));

const spanOf = ({ start, end, kind, attributes, status, ...ids }: EndedSpan): object => ({
  ...ids,
  kind: kind + 1, // 0 is unspecified there
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(end),
  attributes: attributesOf(attributes),
  status: { code: status.code, ...(status.message && { message: cutText(status.message, maxLength) }) },
});

/** Returns the request that exports these spans of one process. */
export const exportRequestOf = (
  spans: readonly EndedSpan[],
  { resource, scope }: { readonly resource: Attributes; readonly scope: string },
): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: scope }, spans: spans.map(spanOf) }],
    },
  ],
});
