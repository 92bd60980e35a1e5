import type { Fields } from '../objects/object.ts';
import type { AdmissionResponse, AdmissionReview } from './review.ts';
import { responseIn } from './review.ts';

/** A webhook inside this process: answers what a server would answer; the uid is put in for it. */
export type WebhookFunction = (review: AdmissionReview) => AdmissionResponse | Promise<AdmissionResponse>;

/** How to reach a webhook. */
export interface Endpoint {
  readonly url: string;
  /** PEM; the system's authorities when empty. */
  readonly authority: string;
  /** Seconds. */
  readonly timeout: number;
}

/** Where a webhook's `clientConfig` points to. */
export function endpointOf({ url, service, caBundle }: Fields, timeout: number): Endpoint {
  const { name, namespace, path = '', port = 443 } = (service ?? {}) as Fields;
  const address = typeof url === 'string' ? url : `https://${name}.${namespace}.svc:${port}${path}`;
  return { url: address, authority: Buffer.from(String(caBundle ?? ''), 'base64').toString(), timeout };
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

const statusTexts: Readonly<Record<number, string>> = {
  401: 'the server has asked for the client to provide credentials',
  403: 'the server does not allow access to the requested resource',
  404: 'the server could not find the requested resource',
};

/** As Go cleans paths: no slash twice, none at the end. */
const cleanPath = (path: string): string => path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');

async function post(endpoint: Endpoint, review: AdmissionReview): Promise<unknown> {
  const { Agent, request } = await import('undici');
  const { authority, timeout } = endpoint;
  const url = new URL(endpoint.url);
  url.pathname = cleanPath(url.pathname);
  url.searchParams.set('timeout', `${timeout}s`);
  const dispatcher = new Agent({ connect: authority === '' ? {} : { ca: authority, allowPartialTrustChain: true } });
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(review),
      signal: AbortSignal.timeout(timeout * 1000),
    });
    const text = await body.text();
    if (statusCode >= 200 && statusCode < 300) return JSON.parse(text);
    const plain = `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
    throw new Error(`failed to call webhook: ${statusTexts[statusCode] ?? plain}`);
  } catch (error) {
    const { message } = error as Error;
    if (message.startsWith('failed to call')) throw error;
    const why = goMessage(error as NetworkError, endpoint.url);
    throw new Error(`failed to call webhook: Post ${JSON.stringify(url.href)}: ${why}`, { cause: error });
  } finally {
    void dispatcher.destroy();
  }
}

/** Asks webhooks: by a function of this process where there is one for the URL, else over HTTPS. */
export type Transport = (endpoint: Endpoint, review: AdmissionReview) => Promise<AdmissionResponse>;

/** A transport that knows the functions of some URLs. Rejects with an Error in the server's words. */
export const transportWith =
  (functions: Readonly<Record<string, WebhookFunction>>): Transport =>
  async (endpoint, review) => {
    const { uid } = review.request;
    const inProcess = Object.hasOwn(functions, endpoint.url) ? functions[endpoint.url] : undefined;
    if (inProcess !== undefined) return { ...(await inProcess(review)), uid };
    return responseIn(await post(endpoint, review), uid, review.apiVersion);
  };
