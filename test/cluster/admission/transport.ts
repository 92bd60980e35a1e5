import type { Fields } from '../objects/object.ts';
import { checkAnswer, responseIn } from './response.ts';
import type { AdmissionResponse, AdmissionReview } from './review.ts';

/** A webhook inside this process: answers what a server would answer; the uid is put in for it. */
export type WebhookFunction = (review: AdmissionReview) => AdmissionResponse | Promise<AdmissionResponse>;

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

async function post(endpoint: Endpoint, review: AdmissionReview): Promise<string> {
  const { Agent, request } = await import('undici');
  const { authority, timeout } = endpoint;
  const { url, shown } = addressOf(endpoint);
  const dispatcher = new Agent({ connect: authority === '' ? {} : { ca: authority, allowPartialTrustChain: true } });
  const asked = async () => {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
      body: JSON.stringify(review),
      signal: AbortSignal.timeout(timeout * 1000),
    });
    return { status: statusCode, type: String(headers['content-type'] ?? ''), text: await body.text() };
  };
  try {
    const answer = await asked().catch((error: NetworkError) => {
      const why = goMessage(error, endpoint.url);
      throw new Error(`failed to call webhook: Post ${JSON.stringify(shown)}: ${why}`, { cause: error });
    });
    checkAnswer(answer);
    return answer.text;
  } finally {
    void dispatcher.destroy();
  }
}

/** Asks webhooks: by a function of this process where there is one for the URL, else over HTTPS. */
export type Transport = (endpoint: Endpoint, review: AdmissionReview, mutating: boolean) => Promise<AdmissionResponse>;

/** What a transport has to know of the cluster. */
export interface Surroundings {
  /** The webhooks inside this process, by URL. */
  readonly functions: Readonly<Record<string, WebhookFunction>>;
  /** Whether there is a Service. */
  readonly hasService: (namespace: string, name: string) => boolean;
}

/** A transport that knows the functions of some URLs. Rejects with an Error in the server's words. */
export const transportWith =
  ({ functions, hasService }: Surroundings): Transport =>
  async (endpoint, review, mutating) => {
    const { uid } = review.request;
    const inProcess = Object.hasOwn(functions, endpoint.url) ? functions[endpoint.url] : undefined;
    if (inProcess !== undefined) {
      const { patchType, ...said } = await inProcess(review);
      return { patchType: patchType ?? 'JSONPatch', ...said, uid };
    }
    const { service } = endpoint;
    if (service !== undefined && !hasService(service.namespace, service.name)) {
      const { shown } = addressOf(endpoint);
      const why = `service ${JSON.stringify(service.name)} not found`;
      throw new Error(`failed to call webhook: Post ${JSON.stringify(shown)}: ${why}`);
    }
    return responseIn(await post(endpoint, review), { uid, apiVersion: review.apiVersion, mutating });
  };
