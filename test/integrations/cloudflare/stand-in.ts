/** Stand-in of Cloudflare's API for DNS records, whose answers the official SDK reads in `stand-in.test.ts`. */

import { isIPv4, isIPv6 } from 'node:net';

/** Record as the API shows it. */
export interface StoredRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
  readonly proxied: boolean;
  readonly comment: string | null;
  readonly tags: readonly string[];
  readonly created_on: string;
  readonly modified_on: string;
}

type Asked = Partial<Pick<StoredRecord, 'name' | 'type' | 'content' | 'ttl' | 'proxied' | 'comment' | 'tags'>>;
type Records = ReadonlyMap<string, StoredRecord>;

/** Batch as the API takes it: carried out in this order, as a whole or not at all. */
interface AskedBatch {
  readonly deletes?: readonly { readonly id: string }[];
  readonly patches?: readonly (Asked & { readonly id: string })[];
  readonly puts?: readonly (Asked & { readonly id: string })[];
  readonly posts?: readonly Asked[];
}

/** Refusal with status and code. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const longestComment = 100;
const known = ['name', 'type', 'content', 'ttl', 'proxied', 'comment', 'tags', 'id', 'settings', 'data'];

const contents: Readonly<Record<string, (content: string) => boolean>> = {
  A: isIPv4,
  AAAA: isIPv6,
  CNAME: (content) => /^[\w.-]+$/.test(content),
  MX: (content) => /^[\w.-]+$/.test(content),
  TXT: (content) => content.length > 0 && Buffer.byteLength(content) <= 4096,
};

/** Checks what is asked of a record, as the API of a zone on the Free plan does. @throws Refusal */
function checked(zone: string, asked: Asked): Required<Omit<Asked, 'tags'>> {
  const { name = '', type = '', content = '', ttl = 1, proxied = false, comment = null, tags = [] } = asked;
  const unknown = Object.keys(asked).find((member) => !known.includes(member));
  if (unknown !== undefined) throw new Refusal(400, 9207, `Request body is invalid: ${unknown}`);
  if (name !== zone && !name.endsWith(`.${zone}`)) throw new Refusal(400, 9000, 'DNS name is invalid.');
  if (contents[type]?.(content) !== true) throw new Refusal(400, 9005, `Content for ${type} record is invalid.`);
  if (ttl !== 1 && (!Number.isInteger(ttl) || ttl < 60 || ttl > 86_400))
    throw new Refusal(400, 9021, 'Invalid TTL. Must be between 60 and 86400 seconds, or 1 for Automatic.');
  if (proxied && !['A', 'AAAA', 'CNAME'].includes(type))
    throw new Refusal(400, 9004, 'This record type cannot be proxied.');
  if ((comment?.length ?? 0) > longestComment)
    throw new Refusal(400, 9313, `DNS record comment exceeds the maximum length of ${longestComment} characters.`);
  if (tags.length > 0) throw new Refusal(400, 9300, `DNS record has ${tags.length} tags, exceeding the quota of 0.`);
  const normal = type === 'AAAA' ? new URL(`http://[${content}]`).hostname.slice(1, -1) : content;
  return { name: name.toLowerCase(), type, content: normal, ttl: proxied ? 1 : ttl, proxied, comment };
}

const alias = (type: string): boolean => type === 'CNAME';
const address = (type: string): boolean => type === 'A' || type === 'AAAA';

/** Adds a record, or replaces the one of its id. @throws Refusal when it conflicts with others */
function stored(records: Records, record: StoredRecord): Records {
  const { name, type, content } = record;
  const beside = [...records.values()].filter((one) => one.id !== record.id && one.name === name);
  if (beside.some((one) => one.type === type && one.content === content))
    throw new Refusal(400, 81058, 'An identical record already exists.');
  if (alias(type) && beside.some((one) => alias(one.type) || address(one.type)))
    throw new Refusal(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.');
  if (address(type) && beside.some((one) => alias(one.type)))
    throw new Refusal(400, 81054, 'A CNAME record with that host already exists.');
  return new Map(records).set(record.id, record);
}

/** Members by which lists can be filtered, with what is compared. */
const filters: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  exact: (value, wanted) => value === wanted,
  startswith: (value, wanted) => value.startsWith(wanted),
  endswith: (value, wanted) => value.endsWith(wanted),
  contains: (value, wanted) => value.includes(wanted),
};

function matches(record: StoredRecord, [parameter, wanted]: readonly [string, string]): boolean {
  if (['page', 'per_page', 'order', 'direction', 'match'].includes(parameter)) return true;
  if (parameter === 'type') return record.type === wanted;
  const [member = '', way = ''] = parameter.split('.');
  if (!['name', 'content', 'comment'].includes(member) || filters[way] === undefined)
    throw new Refusal(400, 9207, `Request query is invalid: ${parameter}`);
  return filters[way](String(record[member as keyof Asked] ?? '').toLowerCase(), wanted.toLowerCase());
}

const envelope = (result: unknown, more: object = {}) => ({ success: true, errors: [], messages: [], result, ...more });

/** Cloudflare in memory, with one zone. */
export interface CloudflareStandIn {
  readonly fetch: typeof globalThis.fetch;
  records(): readonly StoredRecord[];
  /** Publishes a record, as a person at the dashboard does. */
  put(asked: Asked): StoredRecord;
  /** Changes a record, as a person at the dashboard does. */
  edit(id: string, asked: Asked): void;
  /** Deletes all records. */
  clear(): void;
  readonly count: { requests: number; changes: number };
}

/** Credential and name of the zone. */
export interface CloudflareStandInOptions {
  readonly token: string;
  readonly zoneId: string;
  /** Without a trailing dot. */
  readonly zone: string;
}

/** Creates an empty zone; times of creation are a second apart. */
export function cloudflareStandIn({ token, zoneId, zone }: CloudflareStandInOptions): CloudflareStandIn {
  let all: Records = new Map();
  let made = 0;
  const count = { requests: 0, changes: 0 };
  const time = () => new Date(Date.UTC(2026, 0, 1) + made * 1_000).toISOString();
  const found = (records: Records, id: string): StoredRecord => {
    const record = records.get(id);
    if (record === undefined) throw new Refusal(404, 81044, 'Record does not exist.');
    return record;
  };
  const posted = (asked: Asked): StoredRecord => {
    made += 1;
    const id = `${made}`.padStart(4, '0').padStart(32, 'c0ffee');
    return { id, ...checked(zone, asked), tags: [], created_on: time(), modified_on: time() };
  };
  const put = (records: Records, id: string, asked: Asked): StoredRecord => ({
    ...found(records, id),
    ...checked(zone, asked),
    modified_on: time(),
  });
  const removed = (records: Records, id: string): Records => {
    found(records, id);
    return new Map([...records].filter(([one]) => one !== id));
  };
  /** Carries out a batch on a copy, which takes the place of the zone if nothing is refused. */
  const batch = ({ deletes = [], patches = [], puts = [], posts = [] }: AskedBatch) => {
    let next = deletes.reduce((records, { id }) => removed(records, id), all);
    const results = { deletes: deletes.map(({ id }) => found(all, id)), patches: [], puts: [], posts: [] } as Record<
      string,
      StoredRecord[]
    >;
    const store = (kind: string, record: StoredRecord): void => {
      next = stored(next, record);
      results[kind]!.push(record);
    };
    for (const { id, ...asked } of patches) {
      const { name, type, content, ttl, proxied, comment } = found(next, id);
      store('patches', put(next, id, { name, type, content, ttl, proxied, comment, ...asked }));
    }
    for (const { id, ...asked } of puts) store('puts', put(next, id, asked));
    for (const asked of posts) store('posts', posted(asked));
    all = next;
    count.changes += 1;
    return results;
  };
  const list = (query: URLSearchParams) => {
    const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 100)];
    const hits = [...all.values()].filter((record) => [...query].every((one) => matches(record, one)));
    const result = hits.slice((page - 1) * perPage, page * perPage);
    const totals = { total_count: hits.length, total_pages: Math.ceil(hits.length / perPage) };
    return envelope(result, { result_info: { page, per_page: perPage, count: result.length, ...totals } });
  };
  /** Answers a request to the records of the zone; `rest` is the path below them. */
  const answer = (request: Request, rest: string, body: unknown): object => {
    const { method, url } = request;
    if (rest === 'batch' && method === 'POST') return envelope(batch(body as AskedBatch));
    if (rest === '' && method === 'GET') return list(new URL(url).searchParams);
    if (rest === '' && method === 'POST') return envelope(batch({ posts: [body as Asked] }).posts![0]);
    if (method === 'GET') return envelope(found(all, rest));
    if (method === 'PUT') return envelope(batch({ puts: [{ ...(body as Asked), id: rest }] }).puts![0]);
    if (method === 'PATCH') return envelope(batch({ patches: [{ ...(body as Asked), id: rest }] }).patches![0]);
    if (method !== 'DELETE') throw new Refusal(405, 10405, 'Method not allowed');
    batch({ deletes: [{ id: rest }] });
    return envelope({ id: rest });
  };
  return {
    count,
    records: () => [...all.values()],
    put: (asked) => batch({ posts: [asked] }).posts![0]!,
    edit: (id, asked) => void batch({ patches: [{ ...asked, id }] }),
    clear() {
      all = new Map();
    },
    async fetch(input, init) {
      count.requests += 1;
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      const [, asked, rest = ''] = /^\/client\/v4\/zones\/([^/]+)\/dns_records(?:\/([^/]+))?$/.exec(pathname) ?? [];
      try {
        if (request.headers.get('authorization') !== `Bearer ${token}`)
          throw new Refusal(403, 10000, 'Authentication error');
        if (asked !== zoneId)
          throw new Refusal(404, 7003, `Could not route to ${pathname}, perhaps your object identifier is invalid?`);
        const text = await request.text();
        return Response.json(answer(request, rest, text === '' ? undefined : JSON.parse(text)));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { status, code, message } = error;
        return Response.json({ success: false, errors: [{ code, message }], messages: [], result: null }, { status });
      }
    },
  };
}
