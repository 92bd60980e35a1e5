/** A real PowerDNS server, and what tests see of its zone. */

import { type PowerdnsProcess, startPowerdns } from '../../../system/real/programs/powerdns.ts';
import { zone } from '../fixtures/a-dns-spec.ts';
import type { StoredRrset } from './stand-in.ts';

/** Server with the zone of the tests. */
export interface RealServer extends PowerdnsProcess {
  /** All RRsets of the zone besides SOA and NS. */
  rrsets(): Promise<readonly StoredRrset[]>;
  /** Sends these changes of RRsets. */
  patch(...rrsets: readonly object[]): Promise<Response>;
  /** Deletes all RRsets. */
  clear(): Promise<void>;
}

/** Starts a server with the zone of the tests. */
export async function aRealServer(): Promise<RealServer> {
  const server = await startPowerdns([zone]);
  const patch = (...rrsets: readonly object[]) => server.api('PATCH', `/zones/${zone}.`, { rrsets });
  const rrsets = async () => {
    const body = (await (await server.api('GET', `/zones/${zone}.`)).json()) as { readonly rrsets: StoredRrset[] };
    return body.rrsets.filter(({ type }) => type !== 'SOA' && type !== 'NS');
  };
  return {
    ...server,
    patch,
    rrsets,
    async clear() {
      const all = await rrsets();
      if (all.length > 0) await patch(...all.map(({ name, type }) => ({ name, type, changetype: 'DELETE' })));
    },
  };
}
