/** Stand-in of the HTTP API of a PowerDNS server, held to the real one by `contract.ts`. */

import { isIPv4, isIPv6 } from 'node:net';

/** RRset as the API shows it. */
export interface StoredRrset {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly { readonly content: string; readonly disabled: boolean }[];
  readonly comments: readonly object[];
}

interface AskedChange extends Partial<StoredRrset> {
  readonly changetype?: string;
}

type Rrsets = ReadonlyMap<string, StoredRrset>;

/** Refusal with the server's words. */
class Refusal extends Error {}

const keyOf = ({ name, type }: Pick<StoredRrset, 'name' | 'type'>): string => `${name} ${type}`;

const contents: Readonly<Record<string, (content: string) => string | undefined>> = {
  A: (content) => (isIPv4(content) ? content : undefined),
  AAAA: (content) => (isIPv6(content) ? new URL(`http://[${content}]`).hostname.slice(1, -1) : undefined),
  CNAME: (content) => (/^[\w.*-]+\.$/.test(content) ? content : undefined),
  TXT: (content) => (/^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/.test(content) ? content : undefined),
  MX: (content) => (/^\d+ [\w.-]+\.$/.test(content) ? content : undefined),
};

/** Checks a change, and returns it with the contents as the server stores them. @throws Refusal */
function checked(zone: string, change: AskedChange): StoredRrset & { readonly changetype: string } {
  const { name = '', type = '', ttl = 0, records = [], comments = [], changetype = '' } = change;
  if (!name.endsWith('.')) throw new Refusal(`DNS Name '${name}' is not canonical`);
  if (name.indexOf('*') > 0) throw new Refusal(`Name '${name}' contains unsupported characters`);
  const told = `RRset ${name} IN ${type}`;
  const normalize = contents[type];
  if (normalize === undefined) throw new Refusal(`${told}: unknown type given`);
  if (name !== zone && !name.endsWith(`.${zone}`)) throw new Refusal(`${told}: Name is out of zone`);
  const stored = records.map(({ content, disabled }) => {
    const normal = normalize(content);
    if (normal === undefined) throw new Refusal(`Record ${name}/${type} '${content}': Parsing record content`);
    return { content: normal, disabled };
  });
  if (new Set(stored.map(({ content }) => content)).size < stored.length)
    throw new Refusal(`Duplicate record in ${told} with content "${stored[0]!.content}"`);
  return { name: name.toLowerCase(), type, ttl, records: stored, comments, changetype };
}

/** Applies one change. @throws Refusal */
function changed(rrsets: Rrsets, { changetype, ...rrset }: ReturnType<typeof checked>): Rrsets {
  const after = new Map(rrsets);
  const before = after.get(keyOf(rrset));
  after.delete(keyOf(rrset));
  if (changetype === 'DELETE' || rrset.records.length === 0) return after;
  if (changetype !== 'REPLACE') throw new Refusal('Changetype not understood');
  const beside = [...after.values()].filter(({ name }) => name === rrset.name);
  if (beside.some(({ type }) => type === 'CNAME' || rrset.type === 'CNAME'))
    throw new Refusal(`RRset ${rrset.name} IN ${rrset.type}: Conflicts with pre-existing RRset`);
  const comments = rrset.comments.length > 0 ? rrset.comments : (before?.comments ?? []);
  return after.set(keyOf(rrset), { ...rrset, comments });
}

const text = (status: number, words: string): Response => new Response(words, { status });

/** PowerDNS server in memory. */
export interface PowerdnsStandIn {
  readonly fetch: typeof globalThis.fetch;
  /** All RRsets of all zones besides SOA and NS. */
  rrsets(): readonly StoredRrset[];
  /** Sets an RRset, as a person at the server does. */
  put(
    rrset: Pick<StoredRrset, 'name' | 'type'> & { readonly contents: readonly string[]; readonly ttl?: number },
  ): void;
  /** Deletes all RRsets. */
  clear(): void;
  /** Number of requests, and of those that were carried out changes. */
  readonly count: { requests: number; changes: number };
}

/** Creates a server with these zones, without a trailing dot, and this key. */
export function powerdnsStandIn(zones: readonly string[], apiKey: string): PowerdnsStandIn {
  const stored = new Map<string, Rrsets>(zones.map((zone) => [`${zone}.`, new Map()]));
  const count = { requests: 0, changes: 0 };
  const at = (zone: string, query: URLSearchParams): Response => {
    const [name, type] = [query.get('rrset_name'), query.get('rrset_type')];
    const rrsets = [...stored.get(zone)!.values()]
      .filter((rrset) => (name === null || rrset.name === name) && (type === null || rrset.type === type))
      .filter(({ records }) => name === null || records.some(({ disabled }) => !disabled));
    return Response.json({ id: zone, name: zone, kind: 'Native', serial: count.changes, rrsets });
  };
  const patch = (zone: string, body: { readonly rrsets?: unknown }): Response => {
    if (!Array.isArray(body.rrsets)) throw new Refusal('No rrsets given in update request');
    const changes = body.rrsets.map((change: AskedChange) => checked(zone, change));
    const same = Map.groupBy(changes, (one) => `${one.changetype} ${keyOf(one)}`);
    const twice = [...same.values()].find(({ length }) => length > 1)?.[0];
    if (twice !== undefined)
      throw new Refusal(`Duplicate RRset ${twice.name} IN ${twice.type} with changetype: ${twice.changetype}`);
    stored.set(zone, changes.reduce(changed, stored.get(zone)!));
    count.changes += 1;
    return new Response(null, { status: 204 });
  };
  const patched = async (zone: string, request: Request): Promise<Response> => {
    try {
      return patch(zone, (await request.json()) as { readonly rrsets?: unknown });
    } catch (error) {
      if (error instanceof Refusal) return Response.json({ error: error.message }, { status: 422 });
      throw error;
    }
  };
  return {
    count,
    rrsets: () => [...stored.values()].flatMap((rrsets) => [...rrsets.values()]),
    put({ name, type, contents: all, ttl = 60 }) {
      const zone = [...stored.keys()].find((one) => `.${name}.`.endsWith(`.${one}`))!;
      const records = all.map((content) => ({ content, disabled: false }));
      const rrset = { name: `${name}.`, type, ttl, records, comments: [] };
      stored.set(zone, new Map(stored.get(zone)).set(keyOf(rrset), rrset));
    },
    clear() {
      for (const zone of stored.keys()) stored.set(zone, new Map());
    },
    async fetch(input, init) {
      count.requests += 1;
      const request = new Request(input, init);
      const { pathname, searchParams } = new URL(request.url);
      const [, rest = ''] = /^\/api\/v1\/servers\/localhost(\/.*)?$/.exec(pathname) ?? [];
      if (request.headers.get('x-api-key') !== apiKey) return text(401, 'Unauthorized');
      if (pathname === '/api/v1/servers/localhost') return Response.json({ id: 'localhost', type: 'Server' });
      const zone = /^\/zones\/([^/]+)$/.exec(rest)?.[1];
      if (zone === undefined || !stored.has(zone)) return text(404, 'Not Found');
      if (request.method === 'GET') return at(zone, searchParams);
      return request.method === 'PATCH' ? patched(zone, request) : text(405, 'Method Not Allowed');
    },
  };
}
