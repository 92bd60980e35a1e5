/** Stand-in of an OpenTelemetry collector: takes what opentelemetry-proto says in JSON, and refuses the rest with 400. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

const integer = z.string().regex(/^-?\d{1,19}$/);
const anyValue: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: integer }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(anyValue) }) }),
  ]),
);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value: anyValue }));
const span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: integer,
  endTimeUnixNano: integer,
  attributes,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
});

/** Span as it was received. */
export type ReceivedSpan = z.infer<typeof span>;

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Starts one on a free port of 127.0.0.1; it answers with `status()`. */
export async function startCollector(status: () => number = () => 200) {
  const spans: ReceivedSpan[] = [];
  const requests: {
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly body: string;
    readonly problem?: string;
  }[] = [];
  const arrived: (() => void)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const part of incoming.setEncoding('utf8')) body += part;
    const parsed = request.safeParse(parsedJson(body));
    const isRight = incoming.method === 'POST' && incoming.url === '/v1/traces' && parsed.success;
    requests.push({ headers: incoming.headers, body, ...(!isRight && { problem: String(parsed.error) }) });
    const code = isRight ? status() : 400;
    if (code === 200 && parsed.success)
      spans.push(...parsed.data.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    outgoing.writeHead(code, { 'content-type': 'application/json' }).end('{}');
    for (const told of arrived.splice(0)) told();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    /** Resolves with the next request. */
    next: () => new Promise<void>((resolve) => arrived.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
