/** Relays requests of an in-memory cluster to a real server and detects quiescence. */

import { Agent, type Dispatcher, request } from 'undici';
import { settled } from '../../cluster/apimachinery/clock/manual-clock.ts';
import type { ApiRequest, ApiResponse, Interceptor, Sink } from '../../cluster/index.ts';
import type { ApiAddress } from '../../system/real/api.ts';

/** Answers for an in-memory cluster with the real server's answers, and detects that no more events are pending. */
export interface Relay {
  readonly interceptor: Interceptor;
  /** Resolves when every request is answered and every watch has delivered everything written before. Rejects when that takes 10 s. */
  quiet(): Promise<void>;
  /** Cuts every connection. */
  close(): Promise<void>;
}

/** The collection that a path addresses: `collection` is the same for all namespaces. */
interface PathTarget {
  readonly collection: string;
  readonly namespace: string | undefined;
}

/** An open watch. */
interface Watch extends PathTarget {
  /** The watch selects some objects only; which ones is unknown. */
  readonly isPartial: boolean;
  /** Latest delivered revision; -1 until all initial objects were delivered. */
  revision: number;
  /** The revision at which it started. */
  from: number;
  /** Uids of objects with a delivered deletion. */
  readonly gone: Set<string>;
}

interface Meta {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
}

const patience = 10_000;
const pathOf = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/?]+)/;

function placeOf(url: string): PathTarget {
  const [, group = '', namespace, plural = ''] = pathOf.exec(url) ?? [];
  return { collection: `${group}/${plural}`, namespace };
}

interface Answer {
  readonly metadata?: Meta;
  /** `details` of the Status that answers a deletion. */
  readonly details?: { readonly uid?: string };
}

const answerOf = (text: string): Answer => JSON.parse(text) as Answer;
const isEndOfInitialEvents = ({ annotations }: Meta): boolean => annotations?.['k8s.io/initial-events-end'] === 'true';

function heard(watch: Watch, line: string): void {
  const { type, object } = JSON.parse(line) as { type: string; object: { metadata?: Meta } };
  const { metadata = {} } = object;
  const isFirst = watch.revision < 0;
  if (type === 'ERROR' || (isFirst && !isEndOfInitialEvents(metadata))) return;
  watch.revision = Math.max(watch.revision, Number(metadata.resourceVersion ?? 0));
  if (isFirst) watch.from = watch.revision;
  if (type === 'DELETED') watch.gone.add(metadata.uid ?? '');
}

const watchOf = ({ url }: ApiRequest): Watch => {
  const query = new URL(url, 'http://server').searchParams;
  const isPartial = query.has('labelSelector');
  const revision = query.has('sendInitialEvents') ? -1 : Number(query.get('resourceVersion') ?? 0);
  return { ...placeOf(url), isPartial, revision, from: revision, gone: new Set() };
};

/** Latest write to a place: watches have to deliver it. */
interface Write extends PathTarget {
  readonly revision: number;
  /** Uid of an object deleted some time after that revision: no answer contains the exact one. */
  readonly gone?: string;
}

class Writes {
  readonly #last = new Map<string, Write>();

  add(write: Write): void {
    const key = `${write.collection} ${write.namespace} ${write.gone}`;
    if (write.revision > (this.#last.get(key)?.revision ?? 0)) this.#last.set(key, write);
  }

  areToldBy(watch: Watch): boolean {
    const isTold = ({ collection, namespace, revision, gone }: Write): boolean =>
      collection !== watch.collection ||
      (watch.namespace ?? namespace) !== namespace ||
      (gone === undefined ? revision <= watch.revision : revision < watch.from || watch.gone.has(gone));
    return watch.revision >= 0 && (watch.isPartial || [...this.#last.values()].every(isTold));
  }
}

/** Headers that are forwarded; no others, since a forwarded body is neither compressed nor chunked as before. */
const passedOn: readonly string[] = ['accept', 'content-type'];

type Ask = (request: Omit<ApiRequest, 'user'>) => Promise<Dispatcher.ResponseData>;

const askerOf =
  ({ url: server, token }: ApiAddress, dispatcher: Dispatcher): Ask =>
  ({ method, url, headers: given, body }) => {
    const named = Object.entries(given).filter(([name]) => passedOn.includes(name)) as [string, string][];
    const headers = { ...Object.fromEntries(named), authorization: `Bearer ${token}` };
    const limits = { headersTimeout: patience, bodyTimeout: 0 };
    return request(server + url, { method: method as 'GET', headers, body: body ?? null, dispatcher, ...limits });
  };

/** Latest revision of any object. */
async function revisionNow(ask: Ask, { collection }: PathTarget): Promise<number> {
  const { body } = await ask({ method: 'GET', url: `${collection}?limit=1`, headers: {}, body: undefined });
  return Number(answerOf(await body.text()).metadata?.resourceVersion ?? 0);
}

const headOf = ({ statusCode: status, headers }: Dispatcher.ResponseData) => ({
  status,
  headers: { 'content-type': String(headers['content-type']) },
});

/** Returns the uid of the object that is gone by a write, which answers its uid or the object without finalizers. */
function goneBy({ metadata: { uid, deletionTimestamp, finalizers = [] } = {}, details }: ReturnType<typeof answerOf>) {
  return details?.uid ?? (deletionTimestamp !== undefined && finalizers.length === 0 ? uid : undefined);
}

/** Sends a request and records its write. */
async function call(ask: Ask, asked: ApiRequest, writes: Writes): Promise<ApiResponse> {
  const isWrite = asked.method !== 'GET';
  const place = placeOf(asked.url);
  const before = isWrite && asked.method !== 'POST' ? await revisionNow(ask, place) : 0;
  const answer = await ask(asked);
  const body = await answer.body.text();
  if (isWrite && answer.statusCode < 300) {
    const written = answerOf(body);
    const gone = goneBy(written);
    const revision = gone === undefined ? Number(written.metadata?.resourceVersion ?? 0) : before;
    writes.add({ ...place, revision, ...(gone && { gone }) });
  }
  return { ...headOf(answer), body };
}

async function passOn(body: AsyncIterable<Buffer>, sink: Sink, watch: Watch): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    sink.write(chunk);
    for (const line of lines) heard(watch, line);
  }
}

/** Opens a watch, which is among the `open` ones until either side ends it. */
async function follow(ask: Ask, asked: ApiRequest, open: Set<Watch>): Promise<ApiResponse> {
  const watch = watchOf(asked);
  const answer = await ask(asked);
  if (answer.statusCode !== 200) return { ...headOf(answer), body: await answer.body.text() };
  const stop = (): void => {
    open.delete(watch);
    answer.body.destroy();
  };
  // A client that has gone before the answer opens no stream.
  const stream = (sink: Sink) => {
    open.add(watch);
    const ended = () => {
      stop();
      sink.end();
    };
    // The client observes the end of a watch, for any cause.
    passOn(answer.body, sink, watch).then(ended, ended);
    return stop;
  };
  return { ...headOf(answer), body: '', stream };
}

/** Connects on first use. */
export function createRelay(address: ApiAddress): Relay {
  const agent = new Agent({ connect: { ca: address.ca } });
  const ask = askerOf(address, agent);
  const open = new Set<Watch>();
  const writes = new Writes();
  let asking = 0;
  const isQuiet = (): boolean => asking === 0 && [...open].every((watch) => writes.areToldBy(watch));
  return {
    async interceptor(asked) {
      asking += 1;
      try {
        return await (asked.url.includes('watch=true') ? follow(ask, asked, open) : call(ask, asked, writes));
      } finally {
        asking -= 1;
      }
    },
    async quiet() {
      const deadline = performance.now() + patience;
      await settled();
      // Twice: the latest event has to be processed, too.
      for (let calm = 0; calm < 2; calm = isQuiet() ? calm + 1 : 0) {
        if (performance.now() > deadline) throw new Error(`${asking} requests open, or a watch does not tell all`);
        if (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, 1));
        await settled();
      }
    },
    close: () => agent.destroy(),
  };
}
