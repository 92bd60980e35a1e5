import { Turns } from '../conversion/turns.ts';
import { Unconverted } from '../conversion/unconverted.ts';
import type { ApiResponse, Sink } from '../http/message.ts';
import type { ApiObject } from '../objects/object.ts';
import { fieldRequirementsOf } from '../selectors/fields.ts';
import { badRequest, expired, StatusError } from '../status.ts';
import type { Change, Store } from '../store.ts';
import type { Call, Verb } from './call.ts';
import { type WatchOptions, watchOptionsOf } from './list-options.ts';
import { selectorOf } from './read.ts';

type Matches = (stored: ApiObject) => boolean;

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The stored object. */
  readonly object: ApiObject;
}

/** What a change is to someone who only sees what matches: entering is ADDED, leaving is DELETED with the former state. */
function eventOf(store: Store, change: Change, matches: Matches | undefined): WatchEvent | undefined {
  const { type, object, previous } = change;
  if (matches === undefined) return { type, object };
  const before = previous !== undefined && matches(previous);
  if (type === 'DELETED') return before ? { type, object } : undefined;
  const now = matches(object);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object };
  return before ? { type: 'DELETED', object: store.formerOf(change) } : undefined;
}

const isFresh = ({ resourceVersion }: WatchOptions): boolean => resourceVersion === '' || resourceVersion === '0';

/** Whether a watch tells first what there is. */
const beginsWithAll = (options: WatchOptions): boolean => options.sendInitialEvents ?? isFresh(options);

/** What a watch shows first is converted before it begins; what it is instead when that cannot be done any more. Rejects with the server's 429. */
const prepareWatch = async (call: Call): Promise<ApiResponse['stream']> =>
  (await import('./converted-list.ts')).prepareWatch(call);

const expiredStatus = (version: string, oldest: number): object =>
  expired(`too old resource version: ${version} (${oldest})`).status;

/** ms before a timeout at which the last bookmark is sent. */
const farewell = 2000;
const initialEventsEnd = 'k8s.io/initial-events-end';

/** One open watch: from the log to the sink. */
class Watcher {
  readonly #call: Call;
  readonly #options: WatchOptions;
  readonly #matches: Matches | undefined;
  readonly #sink: Sink;
  /** A revision that may not have been reached yet: earlier changes are of no interest. */
  readonly #after: number;
  readonly #cancel: (() => void)[] = [];
  /** Only where a webhook converts what is watched. */
  readonly #turns?: Turns;
  #pending: Uint8Array[] = [];
  #closed = false;
  #isFirst = true;

  constructor(call: Call, options: WatchOptions, sink: Sink) {
    this.#call = call;
    this.#options = options;
    this.#sink = sink;
    this.#after = Number(options.resourceVersion);
    this.#matches = selectorOf(call);
    const { clock } = call.machinery;
    if (call.resource.remote !== undefined) this.#turns = new Turns({ clock, giveUp: () => this.end() });
  }

  start(): void {
    const {
      machinery: { store, clock, random, bookmarkInterval },
    } = this.#call;
    if (!this.#replay() || this.#closed) return;
    this.#cancel.push(store.listen((change) => this.#inTurn(() => this.#takeOrEnd(change))));
    const timeout = (this.#options.timeoutSeconds || 1800 + Math.floor(random() * 1800)) * 1000;
    this.#cancel.push(clock.after(Math.max(0, timeout), () => this.end()));
    if (!this.#options.bookmarks) return;
    if (timeout > farewell) this.#cancel.push(clock.after(timeout - farewell, () => this.#bookmark()));
    const again = () => {
      this.#bookmark();
      this.#cancel.push(clock.after(bookmarkInterval, again));
    };
    this.#cancel.push(clock.after(bookmarkInterval, again));
  }

  /** Ends the stream cleanly. */
  end(): void {
    if (this.#closed) return;
    this.#flush();
    this.stop();
    this.#sink.end();
  }

  /** Stops, without a word: the reader has gone. */
  stop(): void {
    this.#closed = true;
    this.#turns?.stop();
    for (const cancel of this.#cancel.splice(0)) cancel();
  }

  /** Sends what happened before: false when the stream ended with that. */
  #replay(): boolean {
    const {
      machinery: { store, profile },
      representation,
    } = this.#call;
    const { resourceVersion, bookmarks } = this.#options;
    if (beginsWithAll(this.#options)) {
      const { revision } = store;
      this.#inTurn(() => this.#sendExisting(revision));
      if (bookmarks && profile.streamingLists) this.#bookmark({ [initialEventsEnd]: 'true' });
      return true;
    }
    if (isFresh(this.#options)) return true;
    const changes = store.changesSince(Number(resourceVersion));
    if (changes === undefined) {
      this.#write(representation.framing.errorFrame(expiredStatus(resourceVersion, store.oldest)));
      this.end();
      return false;
    }
    for (const change of changes) this.#inTurn(() => this.#take(change));
    return true;
  }

  /** At once, unless a webhook may have to be asked first: then after what came before. */
  #inTurn(work: () => void): void {
    if (this.#turns === undefined) work();
    else this.#turns.take(work);
  }

  #sendExisting(revision: number): void {
    const {
      machinery: { store },
      resource,
      path,
    } = this.#call;
    const prefix = path.namespace === undefined ? '' : `${path.namespace}/`;
    const matches = this.#matches && { matches: this.#matches };
    const { objects } = store.page(resource.collection, { prefix, revision, ...matches });
    // What cannot be shown yet is found out before anything is sent.
    if (this.#turns !== undefined) objects.forEach(resource.view);
    for (const object of objects) {
      if (path.name === undefined || path.name === object.metadata.name) this.#send('ADDED', object);
    }
  }

  /** A watcher that cannot show a change must not disturb the write: its own stream ends. */
  #takeOrEnd(change: Change): void {
    try {
      this.#take(change);
    } catch (error) {
      if (error instanceof Unconverted) throw error;
      process.emitWarning(error as Error);
      this.end();
    }
  }

  #take(change: Change): void {
    const { machinery, resource, path } = this.#call;
    if (change.collection !== resource.collection) return;
    const { metadata } = change.object;
    if (path.namespace !== undefined && metadata.namespace !== path.namespace) return;
    if (path.name !== undefined && metadata.name !== path.name) return;
    if (change.revision <= this.#after) return;
    const event = eventOf(machinery.store, change, this.#matches);
    if (event !== undefined) this.#send(event.type, event.object);
  }

  #send(type: string, stored: ApiObject): void {
    this.#show(type, this.#call.resource.view(stored));
  }

  /** In the form that was asked for; what has no such form ends the stream. */
  #show(type: string, object: ApiObject): void {
    const { representation, resource } = this.#call;
    const isFirst = this.#isFirst && representation.firstEvent !== undefined;
    this.#isFirst = false;
    try {
      this.#write(
        isFirst ? representation.firstEvent!(resource, type, object) : representation.event(resource, type, object),
      );
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.end();
    }
  }

  #bookmark(annotations?: Record<string, string>): void {
    const {
      machinery: { store },
      resource: { info, apiVersion },
    } = this.#call;
    const metadata = { resourceVersion: String(store.revision), ...(annotations && { annotations }) };
    this.#inTurn(() => this.#show('BOOKMARK', { kind: info.kind, apiVersion, metadata } as ApiObject));
  }

  /** Collects what is written in one turn into one chunk. */
  #write(frame: Uint8Array): void {
    if (this.#closed) return;
    if (this.#pending.push(frame) === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const frames = this.#pending;
    this.#pending = [];
    if (frames.length > 0 && !this.#closed) this.#sink.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames));
  }
}

/** A watch of one object by its path must not ask for another one. Throws the server's 400. */
function checkName({ path, query }: Call): void {
  if (path.name === undefined) return;
  const named = fieldRequirementsOf(query.get('fieldSelector') ?? '').find(({ label }) => label === 'metadata.name');
  if (named === undefined || named.value === path.name) return;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

/** GET of a collection with `watch`. */
export const watch: Verb = (call) => {
  const options = watchOptionsOf(call.query, call.machinery.profile.streamingLists);
  checkName(call);
  selectorOf(call);
  const { framing } = call.representation;
  const streaming = (stream: ApiResponse['stream']): ApiResponse => ({
    status: 200,
    headers: { 'content-type': framing.contentType },
    body: '',
    framing,
    stream,
  });
  const response = streaming((sink) => {
    const watcher = new Watcher(call, options, sink);
    watcher.start();
    return () => watcher.stop();
  });
  if (call.resource.remote === undefined || !isFresh(options)) return response;
  return prepareWatch(call).then((stream) => (stream === undefined ? response : streaming(stream)));
};
