import type { Kind } from '../api/kind.ts';
import { resourceOf } from '../api/kind.ts';
import type { KubeObject } from '../api/object.ts';
import { type Clock, systemClock } from '../clock.ts';
import { compareVersions, hasReached } from './version.ts';

export interface OwnWritesOptions {
  readonly clock?: Clock;
  /** ms after which a write counts as seen though the watch has not shown it: a lost event never stops a key for longer. @default 5 000 */
  readonly deadline?: number;
}

/** A kind whose store shows our writes sooner or later. */
export interface WriteSource {
  readonly kind: Kind;
  /** The namespace that is watched; absent: all. */
  readonly namespace?: string | undefined;
  /** Up to which version the store has seen everything. */
  seen(): string | undefined;
  /** The keys that must not run before the store has seen this write. */
  requestsOf(object: KubeObject): readonly string[];
}

/** How many keys wait, and how many waits have ever ended without the watch having shown the write. */
export interface OwnWritesHealth {
  readonly waiting: number;
  readonly overdue: number;
}

interface Pending {
  readonly source: WriteSource;
  readonly requests: readonly string[];
  readonly version: string;
  readonly due: number;
}

/** The answer to a write: the whole object, or its metadata alone. */
export type Answer = 'object' | 'metadata';

/**
 * Read your own writes: which keys must wait since a store has not yet seen what we wrote for them.
 *
 * # Guarantees
 * A key waits from the moment a write is noted until its store has seen that version or a later one of any object of the kind
 * (which covers deletions, objects made again, and lists), and never longer than the deadline.
 *
 * # Caveats
 * Deletions carry no version and are not waited for.
 */
export class OwnWrites {
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #sources: WriteSource[] = [];
  readonly #listeners: ((requests: readonly string[]) => void)[] = [];
  /** In order of their versions, per source. */
  readonly #pending = new Map<WriteSource, Pending[]>();
  /** How many pending writes hold a key back. */
  readonly #holds = new Map<string, number>();
  /** Whole answers, until their echo has passed. */
  readonly #answers = new Map<string, KubeObject>();
  #cancelTimer: (() => void) | undefined;
  #overdue = 0;

  constructor({ clock = systemClock, deadline = 5000 }: OwnWritesOptions = {}) {
    this.#clock = clock;
    this.#deadline = deadline;
  }

  /** Adds a kind whose writes are waited for. */
  follow(source: WriteSource): void {
    this.#sources.push(source);
    this.#pending.set(source, []);
  }

  /** Calls `listener` with keys that need not wait any longer. */
  onReleased(listener: (requests: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Notes a successful write: what the server answered. Writes of kinds nobody follows are ignored. */
  written(kind: Kind, object: KubeObject, answer: Answer = 'object'): void {
    const { resourceVersion: version, namespace } = object.metadata;
    if (compareVersions(version, version) === undefined) return;
    for (const source of this.#sources) {
      if (resourceOf(source.kind) !== resourceOf(kind)) continue;
      if (source.namespace !== undefined && source.namespace !== namespace) continue;
      if (hasReached(source.seen(), version)) continue;
      this.#hold({
        source,
        requests: source.requestsOf(object),
        version: version as string,
        due: this.#clock.monotonic() + this.#deadline,
      });
      if (answer === 'object' && kind.version === source.kind.version)
        this.#answers.set(`${resourceOf(kind)} ${version}`, object);
    }
  }

  /** Whether a run of this key might read something older than our last write for it. */
  isWaiting(request: string): boolean {
    return this.#holds.has(request);
  }

  /** Our own whole object of that version, if we wrote it and its echo is still to come: no need to parse the event. */
  answerOf(kind: Kind, version: string): KubeObject | undefined {
    return this.#answers.get(`${resourceOf(kind)} ${version}`);
  }

  /** Told by a store's owner whenever {@link WriteSource.seen} may have moved. */
  advanced(kind: Kind): void {
    for (const [source, pending] of this.#pending) {
      if (pending.length === 0 || resourceOf(source.kind) !== resourceOf(kind)) continue;
      const seen = source.seen();
      const ahead = pending.findIndex(({ version }) => !hasReached(seen, version));
      if (ahead !== 0) this.#release(source, pending.splice(0, ahead === -1 ? pending.length : ahead));
    }
  }

  health(): OwnWritesHealth {
    return { waiting: this.#holds.size, overdue: this.#overdue };
  }

  #hold(write: Pending): void {
    const pending = this.#pending.get(write.source) as Pending[];
    const before = pending.findLastIndex(({ version }) => (compareVersions(version, write.version) as number) <= 0);
    pending.splice(before + 1, 0, write);
    for (const request of write.requests) this.#holds.set(request, (this.#holds.get(request) ?? 0) + 1);
    this.#cancelTimer ??= this.#clock.after(this.#deadline, () => this.#expire());
  }

  #release(source: WriteSource, writes: readonly Pending[]): void {
    for (const { version } of writes) this.#answers.delete(`${resourceOf(source.kind)} ${version}`);
    const free = writes.flatMap(({ requests }) => requests.filter((request) => this.#letGo(request)));
    if (free.length > 0) for (const listener of this.#listeners) listener(free);
  }

  /** Takes one hold off a key; true when it was the last. */
  #letGo(request: string): boolean {
    const left = (this.#holds.get(request) ?? 0) - 1;
    if (left > 0) this.#holds.set(request, left);
    else this.#holds.delete(request);
    return left <= 0;
  }

  #expire(): void {
    this.#cancelTimer = undefined;
    const now = this.#clock.monotonic();
    for (const [source, pending] of this.#pending) {
      const late = pending.filter(({ due }) => due <= now);
      if (late.length === 0) continue;
      this.#pending.set(
        source,
        pending.filter(({ due }) => due > now),
      );
      this.#overdue += late.length;
      this.#release(source, late);
    }
    const dues = [...this.#pending.values()].flat().map(({ due }) => due);
    if (dues.length > 0)
      this.#cancelTimer = this.#clock.after(dues.reduce((a, b) => Math.min(a, b)) - now, () => this.#expire());
  }
}
