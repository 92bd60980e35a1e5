import type { Dispatcher } from 'undici';
import type { Fields } from '../objects/object.ts';
import { checkAnswer } from './http-answer.ts';

/** How to reach a webhook. */
export interface Endpoint {
  readonly url: string;
  /** PEM; the system's authorities when empty. */
  readonly authority: string;
  /** Seconds. */
  readonly timeout: number;
  /** Where it is, when that is a Service. */
  readonly service?: { readonly namespace: string; readonly name: string };
}

/** Whether there is a Service. */
export type HasService = (namespace: string, name: string) => boolean;

/** Where a webhook's `clientConfig` points to. */
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

/** What Go says about a failure of the network. */
function goMessage(error: NetworkError, url: string): string {
  const { hostname, port } = new URL(url);
  const address = `${error.address ?? hostname}:${error.port ?? (port || 443)}`;
  if (error.name === 'TimeoutError') return 'context deadline exceeded';
  if (error.code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`;
  if (error.code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`;
  if (error.code === 'ECONNRESET' || error.code === 'UND_ERR_SOCKET') return 'EOF';
  if (/CERT|SIGNATURE|ALTNAME|SELF_SIGNED/.test(error.code ?? '')) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  return error.message;
}

/** As Go cleans paths: no slash twice, none at the end. */
const cleanPath = (path: string): string => path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');

/** Where a webhook is: the URL that is asked, and how Go writes it. */
function addressOf({ url, timeout }: Endpoint): { readonly url: URL; readonly shown: string } {
  const address = new URL(url);
  address.pathname = cleanPath(address.pathname);
  address.searchParams.set('timeout', `${timeout}s`);
  // What is said of a service has its port.
  const [, host = ''] = /^https:\/\/([^/?#]+)/.exec(url) ?? [];
  return { url: address, shown: address.href.replace(address.host, host) };
}

/** Connections to a webhook, to be kept for more than one request. */
export async function agentFor({ authority }: Endpoint): Promise<Dispatcher> {
  const { Agent } = await import('undici');
  return new Agent({ connect: authority === '' ? {} : { ca: authority, allowPartialTrustChain: true } });
}

async function sent(endpoint: Endpoint, review: object, dispatcher: Dispatcher): Promise<string> {
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
    return { status: statusCode, type: String(headers['content-type'] ?? ''), text: await body.text() };
  };
  const answer = await asked().catch((error: NetworkError) => {
    throw new Error(`Post ${JSON.stringify(shown)}: ${goMessage(error, endpoint.url)}`, { cause: error });
  });
  checkAnswer(answer);
  return answer.text;
}

/** Asks a webhook over HTTPS, by connections of its own unless some are given. Rejects with an Error in the server's words. */
export async function posted(
  endpoint: Endpoint,
  review: object,
  { hasService, agent }: { readonly hasService: HasService; readonly agent?: Dispatcher },
): Promise<string> {
  const { service } = endpoint;
  if (service !== undefined && !hasService(service.namespace, service.name)) {
    const why = `service ${JSON.stringify(service.name)} not found`;
    throw new Error(`Post ${JSON.stringify(addressOf(endpoint).shown)}: ${why}`);
  }
  if (agent !== undefined) return sent(endpoint, review, agent);
  const own = await agentFor(endpoint);
  try {
    return await sent(endpoint, review, own);
  } finally {
    void own.destroy();
  }
}
