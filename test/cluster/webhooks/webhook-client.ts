/** Calls webhooks over HTTPS, with Go's network errors. */

import type { Dispatcher } from 'undici';
import type { Fields } from '../apimachinery/object.ts';
import { checkAnswer } from './http-response.ts';

/** Address of a webhook. */
export interface Endpoint {
  readonly url: string;
  /** CA bundle in PEM; empty for the system's authorities. */
  readonly authority: string;
  /** Timeout in seconds. */
  readonly timeout: number;
  /** Service behind the address, if any. */
  readonly service?: { readonly namespace: string; readonly name: string };
}

/** Reports whether a Service exists. */
export type HasService = (namespace: string, name: string) => boolean;

/** Resolves a webhook's `clientConfig`. */
export function endpointOf({ url, service, caBundle }: Fields, timeout: number): Endpoint {
  const { name, namespace, path = '', port = 443 } = (service ?? {}) as Fields;
  const address = typeof url === 'string' ? url : `https://${name}.${namespace}.svc:${port}${path}`;
  const target = service ? { service: { namespace: String(namespace), name: String(name) } } : {};
  return { url: address, authority: Buffer.from(String(caBundle ?? ''), 'base64').toString(), timeout, ...target };
}

interface NetworkError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
}

/** Returns the address that a connection was made to, or is made to by default. */
function addressIn({ address, port }: NetworkError, url: URL): string {
  return `${address ?? url.hostname}:${port ?? (url.port || 443)}`;
}

/** Go's messages by error code. */
const goMessages: ReadonlyMap<string | undefined, (error: NetworkError, url: URL) => string> = new Map([
  ['ECONNREFUSED', (error: NetworkError, url: URL) => `dial tcp ${addressIn(error, url)}: connect: connection refused`],
  ['ENOTFOUND', (_error: NetworkError, { hostname }: URL) => `dial tcp: lookup ${hostname}: no such host`],
  ['ECONNRESET', () => 'EOF'],
  ['UND_ERR_SOCKET', () => 'EOF'],
]);

/** Translates a network error into Go's message. */
function goMessage(error: NetworkError, url: string): string {
  if (error.name === 'TimeoutError') return 'context deadline exceeded';
  const message = goMessages.get(error.code);
  if (message !== undefined) return message(error, new URL(url));
  if (/CERT|SIGNATURE|ALTNAME|SELF_SIGNED/.test(error.code ?? '')) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  return error.message;
}

/** Cleans a path as Go does: no double slash, none at the end. */
const cleanPath = (path: string): string => path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');

/** Returns the URL to request, and its form in error messages. */
function addressOf({ url, timeout }: Endpoint): { readonly url: URL; readonly shown: string } {
  const address = new URL(url);
  address.pathname = cleanPath(address.pathname);
  address.searchParams.set('timeout', `${timeout}s`);
  // Error messages keep the port of a service.
  const [, host = ''] = /^https:\/\/([^/?#]+)/.exec(url) ?? [];
  return { url: address, shown: address.href.replace(address.host, () => host) };
}

/** Creates a connection pool for a webhook, for several requests. */
export async function agentFor({ authority }: Endpoint): Promise<Dispatcher> {
  const { Agent } = await import('undici');
  return new Agent({ connect: authority === '' ? {} : { ca: authority, allowPartialTrustChain: true } });
}

/** Largest answer of a webhook, in bytes. Upstream reads on until its time is over. */
const maxBytes = 64 * 1024 * 1024;

/** Reads an answer. Rejects for one that is too large. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks).toString();
}

async function send(endpoint: Endpoint, review: object, dispatcher: Dispatcher): Promise<string> {
  const { request } = await import('undici');
  const { url, shown } = addressOf(endpoint);
  const asked = async () => {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
      body: JSON.stringify(review),
      signal: AbortSignal.timeout(endpoint.timeout * 1000),
    });
    return { status: statusCode, type: String(headers['content-type'] ?? ''), text: await textOf(body) };
  };
  const answer = await asked().catch((error: NetworkError) => {
    throw new Error(`Post ${JSON.stringify(shown)}: ${goMessage(error, endpoint.url)}`, { cause: error });
  });
  checkAnswer(answer);
  return answer.text;
}

/** Sends a review over HTTPS, over its own connection unless `agent` is given. Rejects with an Error in the server's words. */
export async function postReview(
  endpoint: Endpoint,
  review: object,
  { hasService, agent }: { readonly hasService: HasService; readonly agent?: Dispatcher },
): Promise<string> {
  const { service } = endpoint;
  if (service !== undefined && !hasService(service.namespace, service.name)) {
    const why = `service ${JSON.stringify(service.name)} not found`;
    throw new Error(`Post ${JSON.stringify(addressOf(endpoint).shown)}: ${why}`);
  }
  if (agent !== undefined) return send(endpoint, review, agent);
  const own = await agentFor(endpoint);
  try {
    return await send(endpoint, review, own);
  } finally {
    void own.destroy();
  }
}
