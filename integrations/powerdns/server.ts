/** Client of the HTTP API of a PowerDNS authoritative server. */

import type { Clock } from '../../sdk/index.ts';
import { withoutDot } from '../dns/records.ts';
import { httpApi } from '../http-api.ts';
import type { Rrset, RrsetChange } from './rrsets.ts';

/** Address, credential and bounds of a server. */
export interface PowerdnsServerOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly serverId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
  readonly concurrency: number;
}

/** Client of one zone of the server. */
export interface PowerdnsServer {
  /**
   * Reads the RRsets of one name; undefined when the server has no such zone. Those whose records are all disabled are not among them.
   * @throws Error when they cannot be read
   */
  rrsetsAt(zone: string, name: string, signal: AbortSignal): Promise<readonly Rrset[] | undefined>;
  /** Carries out all changes or none. @throws DefiniteError when it had no effect, another Error when that is unknown */
  change(zone: string, changes: readonly RrsetChange[], signal: AbortSignal): Promise<void>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const advice = {
  401: 'check option apiKey, and the server’s setting api-key',
  403: 'check the server’s setting webserver-allow-from',
  404: 'check options url, serverId and zone',
  405: 'check option url, and the server’s settings api and webserver',
};

/** Reads one RRset. @throws Error when it is none */
function rrsetOf(value: unknown): Rrset {
  const { name, type, ttl, records } = isObject(value) ? value : {};
  if (typeof name !== 'string' || typeof type !== 'string' || typeof ttl !== 'number' || !Array.isArray(records))
    throw new Error('PowerDNS: returned an RRset without name, type, ttl or records');
  const contents = records
    .filter((record) => isObject(record) && record.disabled !== true)
    .map(({ content }) => content);
  if (!contents.every((content) => typeof content === 'string'))
    throw new Error(`PowerDNS: returned a record of ${name.slice(0, 253)} without content`);
  return { name: withoutDot(name), type, ttl, contents };
}

/** Creates a client, which keeps no connection open. */
export function powerdnsServer({ url, apiKey, serverId, ...options }: PowerdnsServerOptions): PowerdnsServer {
  const api = httpApi({
    ...options,
    vendor: 'PowerDNS',
    url: `${url}/api/v1/servers/${serverId}`,
    headers: { 'x-api-key': apiKey },
    reasonOf: (body) => (isObject(body) && typeof body.error === 'string' ? body.error : undefined),
    advice,
  });
  return {
    async rrsetsAt(zone, name, signal) {
      const path = `/zones/${zone}.?rrset_name=${name}.`;
      const { status, body } = await api.request({ method: 'GET', path, signal, expected: [404] });
      if (status === 404) {
        await api.request({ method: 'GET', path: '', signal }); // or it is the server that does not exist
        return undefined;
      }
      if (!isObject(body) || !Array.isArray(body.rrsets)) throw new Error(`PowerDNS: returned no RRsets of ${name}`);
      // Servers before 4.7 ignore rrset_name and return the complete zone.
      return body.rrsets.map(rrsetOf).filter((rrset) => rrset.name === name && rrset.contents.length > 0);
    },
    async change(zone, rrsets, signal) {
      const { status } = await api.request({ method: 'PATCH', path: `/zones/${zone}.`, body: { rrsets }, signal });
      if (status !== 204) throw new Error(`PowerDNS: HTTP ${status} is not an answer to a change: check option url`);
    },
  };
}
