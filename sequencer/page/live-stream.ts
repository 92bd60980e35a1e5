/** Live stream of the page: sends the latest state of changed objects, with backpressure. */

import type { Clock, Workspace } from '../../sdk/index.ts';
import type { FollowedEvents } from './event-follower.ts';
import type { Viewer } from './page-access.ts';
import type { LiveMessages, SessionView } from './page-model.ts';
import type { PageSource } from './page-source.ts';

/** Reader of a stream. */
export interface StreamSink {
  /** Writes a text; false: wait for {@link StreamSink.drained} before the next one. */
  write(text: string): boolean;
  /** Resolves when more can be written. */
  drained(): Promise<void>;
}

/** Content of a stream. */
export interface StreamInput {
  readonly source: PageSource;
  readonly viewer: Viewer;
  readonly session: SessionView;
  /** Key of the workspace that the viewer has open. */
  readonly selected: string | undefined;
  /** Returns the view of a workspace. */
  readonly viewWorkspace: (workspace: Workspace, events: FollowedEvents | undefined) => LiveMessages['workspace'];
  /** Starts to watch the events of a workspace. */
  readonly follow: (key: string, onChange: () => void) => FollowedEvents;
  /** Returns the state of the process. */
  readonly process: () => LiveMessages['process'];
  /** Objects of an in-memory cluster; `listen` registers a listener for changes. @default none are sent */
  readonly objects?:
    | {
        list(): LiveMessages['objects'];
        listen(listener: () => void): () => void;
      }
    | undefined;
  readonly clock: Clock;
}

/** ms between two sends: changes in between are sent together. */
const sendInterval = 100;
/** Idle ms after which the state of the process is sent, also as a keep-alive. */
const keepAliveInterval = 15_000;
/** Timeout in ms of a reader with a full buffer. */
const readerTimeout = 30_000;
/** Maximum ms of a stream. The reader reconnects and is authorized again; API servers cache granted rights as long. */
const maxStreamDuration = 300_000;
/** Limit of the rows in one message. */
const rowsPerMessage = 200;

const namespaceIn = (key: string): string => key.slice(0, Math.max(0, key.indexOf('/')));

const frame = (event: keyof LiveMessages, json: string): string => `event: ${event}\ndata: ${json}\n\n`;

/** Changes since the last send. */
class UnsentChanges {
  readonly keys: Set<string>;
  workspace = true;
  process = true;
  objects = true;
  #wake = Promise.withResolvers<void>();

  constructor(keys: Iterable<string>) {
    this.keys = new Set(keys);
  }

  /** Ends the wait for changes. */
  readonly wake = (): void => {
    this.#wake.resolve();
  };

  /** Resolves after {@link UnsentChanges.wake}. */
  async wait(): Promise<void> {
    await this.#wake.promise;
    this.#wake = Promise.withResolvers<void>();
  }
}

class LiveStream {
  readonly #input: StreamInput;
  readonly #sink: StreamSink;
  readonly #signal: AbortSignal;
  readonly #pending: UnsentChanges;
  readonly #sent = new Set<string>();
  #events: FollowedEvents | undefined;
  #view = '';
  /** True after a message that announced more rows. */
  #unfinished = false;

  constructor(input: StreamInput, sink: StreamSink, signal: AbortSignal) {
    this.#input = input;
    this.#sink = sink;
    this.#signal = signal;
    this.#pending = new UnsentChanges(input.source.keys());
  }

  async run(): Promise<void> {
    const { source, session, selected, follow, viewer, objects, clock } = this.#input;
    const pending = this.#pending;
    const stopListening = source.listen((key, inList) => {
      if (inList) pending.keys.add(key);
      if (key === selected) pending.workspace = true;
      pending.process = true;
      pending.wake();
    });
    const stopObjects = objects?.listen(() => {
      pending.objects = true;
      pending.wake();
    });
    const endsAt = clock.monotonic() + maxStreamDuration;
    this.#signal.addEventListener('abort', pending.wake, { once: true });
    try {
      await this.#send('session', JSON.stringify(session));
      if (selected !== undefined && (await viewer.mayListEvents(namespaceIn(selected))))
        this.#events = follow(selected, () => {
          pending.workspace = true;
          pending.wake();
        });
      await this.#flush(true);
      while (!this.#signal.aborted && clock.monotonic() < endsAt) {
        const cancel = clock.after(keepAliveInterval, () => {
          pending.process = true;
          pending.wake();
        });
        await pending.wait();
        cancel();
        await clock.sleep(sendInterval, this.#signal).catch(() => undefined);
        if (!this.#signal.aborted) await this.#flush(false);
      }
    } finally {
      stopListening();
      stopObjects?.();
      this.#events?.[Symbol.dispose]();
      this.#signal.removeEventListener('abort', pending.wake);
    }
  }

  async #flush(first: boolean): Promise<void> {
    const pending = this.#pending;
    if (pending.workspace) {
      pending.workspace = false;
      await this.#sendWorkspace();
    }
    await this.#sendRows(first);
    if (pending.process) {
      pending.process = false;
      if (await this.#input.viewer.mayList(undefined))
        await this.#send('process', JSON.stringify(this.#input.process()));
    }
    if (pending.objects && this.#input.objects !== undefined) {
      pending.objects = false;
      await this.#send('objects', JSON.stringify(this.#input.objects.list()));
    }
  }

  /** Sends the changed rows, in parts; the first part replaces the rows of the reader. */
  async #sendRows(first: boolean): Promise<void> {
    const { keys } = this.#pending;
    for (let reset = first; reset || keys.size > 0; reset = false) {
      const { changed, gone } = await this.#takeRows();
      const more = keys.size > 0;
      const isLast = this.#unfinished && !more;
      if (!reset && !isLast && changed.length + gone.length === 0) continue;
      this.#unfinished = more;
      const json = `{"reset":${reset},"more":${more},"changed":[${changed.join()}],"gone":${JSON.stringify(gone)}}`;
      await this.#send('rows', json);
    }
  }

  /** Returns the next part of the changed rows: their texts, and the keys of rows that the reader may not see any more. */
  async #takeRows(): Promise<{ readonly changed: readonly string[]; readonly gone: readonly string[] }> {
    const { keys } = this.#pending;
    const changed: string[] = [];
    const gone: string[] = [];
    for (const key of [...keys].slice(0, rowsPerMessage)) {
      keys.delete(key);
      const text = (await this.#maySee(key)) ? this.#input.source.rowText(key) : undefined;
      if (text !== undefined) {
        changed.push(text);
        this.#sent.add(key);
      } else if (this.#sent.delete(key)) gone.push(key);
    }
    return { changed, gone };
  }

  async #sendWorkspace(): Promise<void> {
    const { selected, source, viewWorkspace } = this.#input;
    if (selected === undefined) return;
    const workspace = (await this.#maySee(selected)) ? source.workspace(selected) : undefined;
    const json = JSON.stringify(workspace === undefined ? null : viewWorkspace(workspace, this.#events));
    if (json === this.#view) return;
    this.#view = json;
    await this.#send('workspace', json);
  }

  async #maySee(key: string): Promise<boolean> {
    const { viewer } = this.#input;
    return (await viewer.mayList(undefined)) || (await viewer.mayList(namespaceIn(key)));
  }

  /** @throws Error when the reader is too slow */
  async #send(event: keyof LiveMessages, json: string): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#sink.write(frame(event, json))) return;
    const late = Promise.withResolvers<never>();
    const cancel = this.#input.clock.after(readerTimeout, () => late.reject(new Error('the client reads nothing')));
    const aborted = () => late.reject(this.#signal.reason);
    this.#signal.addEventListener('abort', aborted, { once: true });
    try {
      await Promise.race([this.#sink.drained(), late.promise]);
    } finally {
      cancel();
      this.#signal.removeEventListener('abort', aborted);
    }
  }
}

/**
 * Streams until the signal aborts or `maxStreamDuration` has passed; then the reader reconnects.
 * # Guarantees
 * Keeps the keys of changed objects, not a queue of messages: a slow reader receives the latest state of each. Sends only objects that the viewer may
 * list at that time. @throws Error when the reader reads nothing for `readerTimeout`
 */
export const streamLive = (input: StreamInput, sink: StreamSink, signal: AbortSignal): Promise<void> =>
  new LiveStream(input, sink, signal).run();
