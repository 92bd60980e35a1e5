/** Handler of WATCH. */

import type { ApiObject } from '../apimachinery/object.ts';
import { fieldRequirementsOf } from '../apimachinery/selectors/field-selector.ts';
import { badRequest, expired, StatusError } from '../apimachinery/status.ts';
import { ConversionQueue } from '../crd/conversion/conversion-queue.ts';
import { Unconverted } from '../crd/conversion/suspend-for-conversion.ts';
import type { ApiResponse, Sink } from '../requests/message.ts';
import type { Change, Store } from '../storage/store.ts';
import { type WatchOptions, watchOptionsOf } from './list-options.ts';
import { selectorOf } from './read.ts';
import type { Call, Verb } from './resource-call.ts';

type Matches = (stored: ApiObject) => boolean;

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Stored object. */
  readonly object: ApiObject;
}

/**
 * Returns the event of a change for a watch with a selector: an object that starts to match is ADDED, one that stops
 * is DELETED with its former state.
 */
function eventOf(store: Store, change: Change, matches: Matches | undefined): WatchEvent | undefined {
  const { type, object, previous } = change;
  if (matches === undefined) return { type, object };
  const before = previous !== undefined && matches(previous);
  if (type === 'DELETED') return before ? { type, object } : undefined;
  const now = matches(object);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object };
  return before ? { type: 'DELETED', object: store.previousAtRevision(change) } : undefined;
}

const startsAtCurrentState = ({ resourceVersion }: WatchOptions): boolean =>
  resourceVersion === '' || resourceVersion === '0';

/** Reports whether a watch starts with the existing objects. */
const sendsInitialEvents = (options: WatchOptions): boolean =>
  options.sendInitialEvents ?? startsAtCurrentState(options);

/** Converts the objects that a watch shows first. Returns another stream when that fails. Rejects with the server's 429. */
const prepareWatch = async (call: Call): Promise<ApiResponse['stream']> =>
  (await import('./list-conversion.ts')).prepareWatch(call);

const expiredStatus = (version: string, oldest: number): object =>
  expired(`too old resource version: ${version} (${oldest})`).status;

/** Time before a watch's time-out at which its last bookmark is sent, in ms. */
const lastBookmarkLead = 2000;
const initialEventsEnd = 'k8s.io/initial-events-end';

/** Open watch: sends changes from the store's log to its sink. */
class Watcher {
  readonly #call: Call;
  readonly #options: WatchOptions;
  readonly #matches: Matches | undefined;
  readonly #sink: Sink;
  /** Version after which changes are sent; it may lie in the future. */
  readonly #startRevision: number;
  readonly #cancel: (() => void)[] = [];
  /** Order of asynchronous work; set only when a webhook converts the objects. */
  readonly #conversionQueue?: ConversionQueue;
  #pending: Uint8Array[] = [];
  #closed = false;
  #isFirst = true;

  constructor(call: Call, options: WatchOptions, sink: Sink) {
    this.#call = call;
    this.#options = options;
    this.#sink = sink;
    this.#startRevision = Number(options.resourceVersion);
    this.#matches = selectorOf(call);
    const { clock } = call.server;
    if (call.resource.conversionWebhook !== undefined)
      this.#conversionQueue = new ConversionQueue({ clock, giveUp: () => this.end() });
  }

  start(): void {
    const {
      server: { store, clock, random, bookmarkInterval },
    } = this.#call;
    if (!this.#replay() || this.#closed) return;
    this.#cancel.push(store.listen((change) => this.#enqueue(() => this.#processOrEnd(change))));
    const timeout = (this.#options.timeoutSeconds || 1800 + Math.floor(random() * 1800)) * 1000;
    this.#cancel.push(clock.after(Math.max(0, timeout), () => this.end()));
    if (!this.#options.bookmarks) return;
    if (timeout > lastBookmarkLead) this.#cancel.push(clock.after(timeout - lastBookmarkLead, () => this.#bookmark()));
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

  /** Stops without ending the stream: the client has disconnected. */
  stop(): void {
    this.#closed = true;
    this.#conversionQueue?.stop();
    for (const cancel of this.#cancel.splice(0)) cancel();
  }

  /** Sends past changes; false when the stream ended with that. */
  #replay(): boolean {
    const {
      server: { store, profile },
      representation,
    } = this.#call;
    const { resourceVersion, bookmarks } = this.#options;
    if (sendsInitialEvents(this.#options)) {
      const { revision } = store;
      this.#enqueue(() => this.#sendExisting(revision));
      if (bookmarks && profile.streamingLists) this.#bookmark({ [initialEventsEnd]: 'true' });
      return true;
    }
    if (startsAtCurrentState(this.#options)) return true;
    const changes = store.changesSince(Number(resourceVersion));
    if (changes === undefined) {
      this.#write(representation.framing.errorFrame(expiredStatus(resourceVersion, store.oldest)));
      this.end();
      return false;
    }
    for (const change of changes) this.#enqueue(() => this.#process(change));
    return true;
  }

  /** Runs work synchronously, or in order after earlier work when a webhook converts objects. */
  #enqueue(work: () => void): void {
    if (this.#conversionQueue === undefined) work();
    else this.#conversionQueue.enqueue(work);
  }

  #sendExisting(revision: number): void {
    const {
      server: { store },
      resource,
      path,
    } = this.#call;
    const prefix = path.namespace === undefined ? '' : `${path.namespace}/`;
    const matches = this.#matches && { matches: this.#matches };
    const { objects } = store.page(resource.collection, { prefix, revision, ...matches });
    // Objects that cannot be converted are detected before anything is sent.
    if (this.#conversionQueue !== undefined) objects.forEach(resource.view);
    for (const object of objects) {
      if (path.name === undefined || path.name === object.metadata.name) this.#send('ADDED', object);
    }
  }

  /** Takes a change. A change that cannot be shown ends this stream; it must not fail the write. */
  #processOrEnd(change: Change): void {
    try {
      this.#process(change);
    } catch (error) {
      if (error instanceof Unconverted) throw error;
      process.emitWarning(error as Error);
      this.end();
    }
  }

  #process(change: Change): void {
    const { server, resource, path } = this.#call;
    if (change.collection !== resource.collection) return;
    const { metadata } = change.object;
    if (path.namespace !== undefined && metadata.namespace !== path.namespace) return;
    if (path.name !== undefined && metadata.name !== path.name) return;
    if (change.revision <= this.#startRevision) return;
    const event = eventOf(server.store, change, this.#matches);
    if (event !== undefined) this.#send(event.type, event.object);
  }

  #send(type: string, stored: ApiObject): void {
    this.#show(type, this.#call.resource.view(stored));
  }

  /** Represents an event in the requested form; an object without such a form ends the stream. */
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
      server: { store },
      resource: { info, apiVersion },
    } = this.#call;
    const metadata = { resourceVersion: String(store.revision), ...(annotations && { annotations }) };
    this.#enqueue(() => this.#show('BOOKMARK', { kind: info.kind, apiVersion, metadata } as ApiObject));
  }

  /** Collects the frames of one tick into one chunk. */
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

/** Checks that a watch by path does not select another name. Throws the server's 400. */
function checkName({ path, query }: Call): void {
  if (path.name === undefined) return;
  const named = fieldRequirementsOf(query.get('fieldSelector') ?? '').find(({ label }) => label === 'metadata.name');
  if (named === undefined || named.value === path.name) return;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

/** GET of a collection with `watch`. */
export const watch: Verb = (call) => {
  const options = watchOptionsOf(call.query, call.server.profile.streamingLists);
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
  if (call.resource.conversionWebhook === undefined || !startsAtCurrentState(options)) return response;
  return prepareWatch(call).then((stream) => (stream === undefined ? response : streaming(stream)));
};
