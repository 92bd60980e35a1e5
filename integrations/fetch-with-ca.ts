/** A `fetch` for servers with certificates of private certificate authorities. */

import { X509Certificate } from 'node:crypto';

/** Reports whether a value is a certificate as PEM, or several. */
export function isCertificate(pem: unknown): boolean {
  try {
    return typeof pem === 'string' && new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/**
 * Returns a `fetch` that trusts these certificate authorities, instead of the system's. It keeps connections alive for as long as the process lives.
 * @param ca certificates as PEM
 */
export function fetchWithCa(ca: string): typeof globalThis.fetch {
  const loading = { client: undefined as Promise<typeof globalThis.fetch> | undefined };
  const load = async (): Promise<typeof globalThis.fetch> => {
    const { Agent, fetch } = await import('undici');
    const dispatcher = new Agent({ connect: { ca } });
    return ((input: string, init: object) => fetch(input, { ...init, dispatcher })) as typeof globalThis.fetch;
  };
  return async (input, init) => {
    loading.client ??= load();
    return (await loading.client)(input, init);
  };
}
