/** Real ACME server, and what of its certificates are valid. */

import { X509Certificate } from 'node:crypto';
import { accountKeyOf } from '../../../../integrations/acme/account-key.ts';
import { acmeAuthority } from '../../../../integrations/acme/acme-authority.ts';
import { acmeServer } from '../../../../integrations/acme/protocol.ts';
import { systemClock } from '../../../../sdk/index.ts';
import type { Thing } from '../../../compliance/index.ts';
import { type PebbleOptions, startPebble } from '../../../system/real/pebble.ts';
import { accountKey } from './subject.ts';

/** Server, and the orders that were begun there since it was emptied. */
export type RealServer = Awaited<ReturnType<typeof startRealServer>>;

/** Starts a server. */
export async function startRealServer(options: PebbleOptions = {}) {
  const pebble = await startPebble(options);
  const orders = new Set<string>();
  const chains = new Map<string, string>();
  const key = accountKeyOf(accountKey)!;
  const { directory } = pebble;
  const server = acmeServer({
    ...{ directory, accountKey: key, email: undefined, externalAccount: undefined },
    ...{ fetch: pebble.fetch, clock: systemClock, deadline: 10_000, concurrency: 4 },
  });
  const authority = acmeAuthority({ server, key, type: 'dns-01' });
  const { signal } = new AbortController();

  /** Returns the certificates of all orders, as the server has issued them. */
  async function issued(): Promise<readonly X509Certificate[]> {
    for (const url of orders) {
      const certificate = chains.has(url) ? undefined : (await authority.read({ url, signal }))?.certificate;
      if (certificate !== undefined) chains.set(url, await authority.certificate({ url: certificate, signal }));
    }
    return [...orders].flatMap((url) => (chains.has(url) ? [new X509Certificate(chains.get(url)!)] : []));
  }

  /** Returns those of them that are not revoked. */
  async function valid(): Promise<readonly X509Certificate[]> {
    const all = await issued();
    const revoked = await Promise.all(all.map(({ serialNumber }) => pebble.isRevoked(serialNumber)));
    return all.filter((_, index) => !revoked[index]);
  }

  return {
    pebble,
    /** Forgets the orders of earlier lives. */
    empty: () => orders.clear(),
    /** Fetches from the server. It remembers, of all callers, which orders were begun, also when the answer is lost later. */
    fetch: (async (input, init) => {
      const response = await pebble.fetch(input, init);
      const location = response.headers.get('location');
      if (location?.includes('/my-order/') === true) orders.add(location);
      return response;
    }) satisfies typeof globalThis.fetch as typeof globalThis.fetch,
    valid,
    async revokeAll() {
      for (const { raw } of await valid()) await authority.revoke({ raw: raw.toString('base64url'), signal });
    },
    things: async (): Promise<readonly Thing[]> =>
      (await valid()).map(({ serialNumber, subjectAltName = '' }) => ({
        what: `certificate of ${subjectAltName.replaceAll('DNS:', '').split(', ').sort().join(', ')}`,
        id: serialNumber,
      })),
  };
}
