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

/** Maximum length of a text, in UTF-16 code units. */
const maxLength = 1024;

/** Redacts a text. */
type Redact = (text: string) => string;

/** Redacts a text and truncates it, in this order, since a part of a secret would not be recognised. */
const textOf = (text: string, redact: Redact): string => cutText(redact(text), maxLength);

/** Nanoseconds as a decimal text: 64-bit integers are texts in protobuf's JSON. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

function anyValueOf(value: AttributeValue | null | undefined, redact: Redact): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => anyValueOf(item, redact)) } };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { stringValue: textOf(String(value ?? ''), redact) };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const attributesOf = (attributes: Attributes, redact: Redact): readonly object[] =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: anyValueOf(value, redact) }));

const spanOf = ({ name, start, end, kind, attributes, status, ...ids }: EndedSpan, redact: Redact): object => ({
  ...ids,
  name: textOf(name, redact),
  kind: kind + 1, // OTLP's 0 is SPAN_KIND_UNSPECIFIED
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(end),
  attributes: attributesOf(attributes, redact),
  status: { code: status.code, ...(status.message && { message: textOf(status.message, redact) }) },
});

/** Attributes of the process, name of the instrumentation scope, and the redaction of texts. */
export interface ExportScope {
  readonly resource: Attributes;
  readonly scope: string;
  readonly redact: Redact;
}

/** Returns the request that exports these spans of one process. */
export const exportRequestOf = (spans: readonly EndedSpan[], { resource, scope, redact }: ExportScope): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource, redact) },
      scopeSpans: [{ scope: { name: scope }, spans: spans.map((span) => spanOf(span, redact)) }],
    },
  ],
});
