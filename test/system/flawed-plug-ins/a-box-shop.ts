/** A third party that keeps boxes. */

import type { Clock } from '../../../sdk/index.ts';

/** A box that the shop keeps. */
export interface Box {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly colour: string;
  readonly label: string;
  /** Project that it is in; empty outside of all. */
  readonly project: string;
  /** Text of any client. */
  readonly note?: string;
  /** Time of its creation, ms. */
  readonly since: number;
  /** Time at which it will be gone, ms; undefined unless it is being deleted. */
  readonly until?: number;
}

export interface ShopOptions {
  readonly clock: Clock;
  /** Refuses a second box of a name. @default true */
  readonly unique?: boolean;
  /** ms until lists show a new box. @default 0 */
  readonly listLag?: number;
  /** ms until a deleted box is gone. @default 0 */
  readonly goes?: number;
  /** ms until an operation is done. @default 0 */
  readonly works?: number;
}

/** Number of boxes in a page of a list. */
const pageSize = 20;

type Answer = readonly [status: number, body?: unknown];

/** Body of a request. */
type Body = Partial<Box> & { readonly by?: number; readonly boxes?: readonly Partial<Box>[] };

interface Ask {
  readonly method: string;
  readonly url: URL;
  readonly body: Body;
  readonly key: string | undefined;
  readonly version: string | undefined;
}

const blank = { name: '', size: 0, colour: '', label: '', project: '' };

/** A third party that keeps boxes and serves HTTP within the process. */
export class BoxShop {
  readonly #options: Required<ShopOptions>;
  readonly #boxes = new Map<number, Box>();
  readonly #byKey = new Map<string, number>();
  #count = 0;

  constructor(options: ShopOptions) {
    this.#options = { unique: true, listLag: 0, goes: 0, works: 0, ...options };
  }

  boxes(): readonly Box[] {
    const now = this.#options.clock.now();
    for (const { id, until = Number.POSITIVE_INFINITY } of this.#boxes.values())
      if (until <= now) this.#boxes.delete(id);
    return [...this.#boxes.values()];
  }

  /** Removes all boxes, as another client. */
  clear(): void {
    this.#boxes.clear();
  }

  /** Paints all boxes grey, as another client. */
  paint(): void {
    for (const box of this.boxes()) this.#boxes.set(box.id, { ...box, colour: 'grey' });
  }

  readonly fetch = async (input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const body = JSON.parse(String(init.body ?? '{}')) as Body;
    const headers = new Headers(init.headers);
    const key = headers.get('idempotency-key') ?? undefined;
    const version = headers.get('if-match') ?? undefined;
    const method = init.method ?? 'GET';
    const ask = { method, url, body, key, version };
    const [status, answer] = url.pathname === '/document' ? this.#document(ask) : this.#answer(ask);
    return status === 204 ? new Response(null, { status }) : Response.json(answer ?? {}, { status });
  };

  #answer({ method, url, body, key }: Ask): Answer {
    const [, project = '', path = ''] = /^(?:\/projects\/([^/]+))?(.*)$/.exec(url.pathname) ?? [];
    const [kind, id, part] = path.split('/').slice(1);
    if (kind === 'operations') return this.#operation(Number(id));
    if (id === undefined)
      return method === 'POST' ? this.#add({ ...body, project }, key) : this.#list(url.searchParams);
    const box = this.boxes().find((one) => one.id === Number(id) && one.project === project);
    return box === undefined ? [404, { error: 'no such box' }] : this.#change(box, { method, part, body });
  }

  #change(
    box: Box,
    { method, part, body }: Pick<Ask, 'method' | 'body'> & { readonly part: string | undefined },
  ): Answer {
    if (method === 'DELETE') return this.#remove(box);
    if (part === 'grow') this.#boxes.set(box.id, { ...box, size: box.size + (body.by ?? 0) });
    else if (method === 'PATCH') this.#boxes.set(box.id, { ...box, ...body });
    else if (method === 'PUT') this.#boxes.set(box.id, { ...blank, ...body, id: box.id, since: box.since });
    return [200, this.#boxes.get(box.id)];
  }

  /** One document with all boxes. */
  #document({ method, body: { boxes = [] }, version }: Ask): Answer {
    const current = this.boxes();
    const etag = JSON.stringify(current);
    if (method !== 'PUT') return [200, { boxes: current, version: etag }];
    if (version !== undefined && version !== etag) return [412, { error: 'changed meanwhile' }];
    this.#boxes.clear();
    for (const box of boxes) {
      this.#count += box.id === undefined ? 1 : 0;
      const id = box.id ?? this.#count;
      this.#boxes.set(id, { ...blank, since: this.#options.clock.now(), ...box, id });
    }
    return [200, { boxes: this.boxes() }];
  }

  /** Making a box of that number, as an operation. */
  #operation(id: number): Answer {
    const box = this.#boxes.get(id);
    if (box === undefined) return [404, { error: 'no such operation' }];
    return [200, { done: box.since + this.#options.works <= this.#options.clock.now(), id }];
  }

  #add(body: Partial<Box>, key: string | undefined): Answer {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    if (known !== undefined) return [200, { id: known }];
    const { name = '', project = '' } = body;
    const there = this.boxes().find((box) => box.name === name && box.project === project);
    if (this.#options.unique && there !== undefined) return [409, there];
    this.#count += 1;
    if (key !== undefined) this.#byKey.set(key, this.#count);
    const made: Box = { ...blank, ...body, id: this.#count, since: this.#options.clock.now() };
    this.#boxes.set(made.id, made);
    return [201, made];
  }

  #list(search: URLSearchParams): Answer {
    const { clock, listLag } = this.#options;
    const [name, label, prefix] = ['name', 'label', 'prefix'].map((member) => search.get(member) ?? undefined);
    const all = this.boxes().filter(
      (box) =>
        box.since + listLag <= clock.now() &&
        box.name === (name ?? box.name) &&
        box.label === (label ?? box.label) &&
        box.label.startsWith(prefix ?? ''),
    );
    const page = Number(search.get('page') ?? 0);
    const next = all.length > (page + 1) * pageSize ? page + 1 : undefined;
    return [200, { items: all.slice(page * pageSize, (page + 1) * pageSize), next }];
  }

  #remove(box: Box): Answer {
    const { goes, clock } = this.#options;
    if (goes === 0) this.#boxes.delete(box.id);
    else this.#boxes.set(box.id, { until: clock.now() + goes, ...box });
    return [goes === 0 ? 204 : 202];
  }
}
