/** Transport of the AWS SDK's requests by a `fetch`. */

import { maxResponseLength, tooLong } from './bounded-responses.ts';

/** Request of the AWS SDK to its transport. */
export interface AwsRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function urlOf({ protocol, hostname, port, path, query = {} }: AwsRequest): string {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, one ?? '');
  return url.href;
}

/** Reads a body of limited size. @throws Error when it is longer */
async function bytesOf({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > maxResponseLength) throw tooLong();
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns a transport for requests with text bodies. Redirects are not followed. */
export const fetchHandler = (fetch: typeof globalThis.fetch) => ({
  metadata: { handlerProtocol: 'http/1.1' },
  async handle(request: AwsRequest, { abortSignal }: { readonly abortSignal?: unknown } = {}) {
    const { method, headers, body } = request;
    const { host: _, ...own } = headers;
    const answer = await fetch(urlOf(request), {
      method,
      headers: own,
      redirect: 'manual',
      ...(typeof body === 'string' && { body }),
      ...(abortSignal instanceof AbortSignal && { signal: abortSignal }),
    });
    const response = {
      statusCode: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await bytesOf(answer),
    };
    return { response };
  },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});
