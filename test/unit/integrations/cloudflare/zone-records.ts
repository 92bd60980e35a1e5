/** Records of one zone at Cloudflare, in memory: what is refused, and what changes together. */

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

/** Members of a record as the API takes them. */
export type AskedRecord = Partial<
  Pick<StoredRecord, 'name' | 'type' | 'content' | 'ttl' | 'proxied' | 'comment' | 'tags'>
>;
type Records = ReadonlyMap<string, StoredRecord>;

/** Batch as the API takes it: carried out in this order, as a whole or not at all. */
export interface AskedBatch {
  readonly deletes?: readonly { readonly id: string }[];
  readonly patches?: readonly (AskedRecord & { readonly id: string })[];
  readonly puts?: readonly (AskedRecord & { readonly id: string })[];
  readonly posts?: readonly AskedRecord[];
}

/** Refusal with status and code. */
export class Refusal extends Error {
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
function checked(zone: string, asked: AskedRecord): Required<Omit<AskedRecord, 'tags'>> {
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
  return filters[way](String(record[member as keyof AskedRecord] ?? '').toLowerCase(), wanted.toLowerCase());
}

/** Records after a batch, and its answer. */
type BatchResult = Readonly<Record<'deletes' | 'patches' | 'puts' | 'posts', StoredRecord[]>>;

/** Records of a zone; times of creation are a second apart. */
export class ZoneRecords {
  readonly #zone: string;
  #all: Records = new Map();
  #made = 0;

  /** @param zone its name, without a trailing dot */
  constructor(zone: string) {
    this.#zone = zone;
  }

  get all(): readonly StoredRecord[] {
    return [...this.#all.values()];
  }

  clear(): void {
    this.#all = new Map();
  }

  /** @throws Refusal when there is none */
  read(id: string, records = this.#all): StoredRecord {
    const record = records.get(id);
    if (record === undefined) throw new Refusal(404, 81044, 'Record does not exist.');
    return record;
  }

  /** Returns the records that match a query. @throws Refusal */
  list(query: URLSearchParams): readonly StoredRecord[] {
    return this.all.filter((record) => [...query].every((one) => matches(record, one)));
  }

  /** Carries out a batch on a copy, which takes the place of the records if nothing is refused. @throws Refusal */
  batch({ deletes = [], patches = [], puts = [], posts = [] }: AskedBatch): BatchResult {
    let next = this.#all;
    const result: BatchResult = { deletes: [], patches: [], puts: [], posts: [] };
    const store = (kind: keyof BatchResult, record: StoredRecord): void => {
      next = stored(next, record);
      result[kind].push(record);
    };
    for (const { id } of deletes) {
      result.deletes.push(this.read(id, next));
      next = new Map([...next].filter(([one]) => one !== id));
    }
    for (const { id, ...asked } of patches) {
      const { name, type, content, ttl, proxied, comment } = this.read(id, next);
      const whole = { name, type, content, ttl, proxied, comment, ...asked };
      store('patches', { ...this.read(id, next), ...checked(this.#zone, whole) });
    }
    for (const { id, ...asked } of puts) store('puts', { ...this.read(id, next), ...checked(this.#zone, asked) });
    for (const asked of posts) store('posts', this.#create(asked));
    this.#all = next;
    return result;
  }

  #create(asked: AskedRecord): StoredRecord {
    this.#made += 1;
    const time = new Date(Date.UTC(2026, 0, 1) + this.#made * 1_000).toISOString();
    const id = `${this.#made}`.padStart(4, '0').padStart(32, 'c0ffee');
    return { id, ...checked(this.#zone, asked), tags: [], created_on: time, modified_on: time };
  }
}
