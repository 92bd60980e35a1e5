/** Stand-in of Cloudflare's API for DNS records and tunnels, whose answers the official SDK reads in `stand-in.test.ts` and `tunnel-stand-in.test.ts`. */

import { AccountTunnels, type TunnelRequest } from './account-tunnels.ts';
import { type AskedBatch, type AskedRecord, Refusal, type StoredRecord, ZoneRecords } from './zone-records.ts';

const envelope = (result: unknown, more: object = {}) => ({ success: true, errors: [], messages: [], result, ...more });

/** Cloudflare in memory, with one zone. */
export interface CloudflareStandIn {
  readonly fetch: typeof globalThis.fetch;
  records(): readonly StoredRecord[];
  /** Publishes a record, as a person at the dashboard does. */
  put(asked: AskedRecord): StoredRecord;
  /** Changes a record, as a person at the dashboard does. */
  edit(id: string, asked: AskedRecord): void;
  /** Deletes all records. */
  clear(): void;
  /** Tunnels of the account. */
  readonly tunnels: AccountTunnels;
  /** Number of requests, and of those that were carried out changes. */
  readonly count: { requests: number; changes: number };
}

/** Credential and name of the zone. */
export interface CloudflareStandInOptions {
  readonly token: string;
  readonly zoneId: string;
  /** Without a trailing dot. */
  readonly zone: string;
  readonly accountId: string;
}

function page(records: ZoneRecords, query: URLSearchParams): object {
  const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 100)];
  const hits = records.list(query);
  const result = hits.slice((number - 1) * size, number * size);
  const totals = { total_count: hits.length, total_pages: Math.ceil(hits.length / size) };
  return envelope(result, { result_info: { page: number, per_page: size, count: result.length, ...totals } });
}

/** Answers a request to the records of the zone; `rest` is the path below them. @throws Refusal */
function answer(records: ZoneRecords, { method, url }: Request, [rest, body]: readonly [string, unknown]): object {
  const asked = body as AskedRecord;
  if (rest === 'batch' && method === 'POST') return envelope(records.batch(body as AskedBatch));
  if (rest === '' && method === 'GET') return page(records, new URL(url).searchParams);
  if (rest === '' && method === 'POST') return envelope(records.batch({ posts: [asked] }).posts[0]);
  if (method === 'GET') return envelope(records.read(rest));
  if (method === 'PUT') return envelope(records.batch({ puts: [{ ...asked, id: rest }] }).puts[0]);
  if (method === 'PATCH') return envelope(records.batch({ patches: [{ ...asked, id: rest }] }).patches[0]);
  if (method !== 'DELETE') throw new Refusal(405, 10405, 'Method not allowed');
  records.batch({ deletes: [{ id: rest }] });
  return envelope({ id: rest });
}

/** Creates an empty zone. */
export function cloudflareStandIn({ token, zoneId, zone, accountId }: CloudflareStandInOptions): CloudflareStandIn {
  const records = new ZoneRecords(zone);
  const tunnels = new AccountTunnels(accountId);
  const count = { requests: 0, changes: 0 };
  const answerTo = (request: Request, body: unknown): object => {
    const { pathname, searchParams: query } = new URL(request.url);
    const [, account, below = ''] = /^\/client\/v4\/accounts\/([^/]+)\/cfd_tunnel(?:\/(.+))?$/.exec(pathname) ?? [];
    const [, asked, rest = ''] = /^\/client\/v4\/zones\/([^/]+)\/dns_records(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (account === accountId)
      return tunnels.answer({ method: request.method, query, below, body: body ?? {} } as TunnelRequest);
    if (asked === zoneId) return answer(records, request, [rest, body]);
    throw new Refusal(404, 7003, `Could not route to ${pathname}, perhaps your object identifier is invalid?`);
  };
  return {
    count,
    tunnels,
    records: () => records.all,
    put: (asked) => records.batch({ posts: [asked] }).posts[0]!,
    edit: (id, asked) => void records.batch({ patches: [{ ...asked, id }] }),
    clear: () => records.clear(),
    async fetch(input, init) {
      count.requests += 1;
      const request = new Request(input, init);
      try {
        if (request.headers.get('authorization') !== `Bearer ${token}`)
          throw new Refusal(403, 10000, 'Authentication error');
        const text = await request.text();
        const said = answerTo(request, text === '' ? undefined : JSON.parse(text));
        if (request.method !== 'GET') count.changes += 1;
        return Response.json(said);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { status, code, message } = error;
        return Response.json({ success: false, errors: [{ code, message }], messages: [], result: null }, { status });
      }
    },
  };
}
