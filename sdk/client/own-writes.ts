import type { Kind } from '../api/kind.ts';
import { resourceOf } from '../api/kind.ts';
import type { KubeObject } from '../api/object.ts';
import { type Clock, systemClock } from '../clock.ts';
import { hasReached, isComparable, isOlder } from './version.ts';

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
  readonly requests: readonly string[];
  readonly version: string;
  readonly due: number;
}

interface Followed {
  readonly source: WriteSource;
  readonly resource: string;
  /** In order of their versions. */
  pending: Pending[];
  /** Whole answers by version, until their echo has passed. */
  readonly answers: Map<string, KubeObject>;
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
  readonly #followed: Followed[] = [];
  readonly #listeners: ((requests: readonly string[]) => void)[] = [];
  /** How many pending writes hold a key back. */
  readonly #holds = new Map<string, number>();
  #cancelTimer: (() => void) | undefined;
  #overdue = 0;

  readonly #writeListeners: ((version: string) => void)[] = [];

  constructor({ clock = systemClock, deadline = 5000 }: OwnWritesOptions = {}) {
    this.#clock = clock;
    this.#deadline = deadline;
  }

  /** Adds a kind whose writes are waited for. @returns what takes it out again: nobody waits for its writes any more */
  follow(source: WriteSource): () => void {
    const followed: Followed = { source, resource: resourceOf(source.kind), pending: [], answers: new Map() };
    this.#followed.push(followed);
    return () => {
      const place = this.#followed.indexOf(followed);
      if (place === -1) return;
      this.#followed.splice(place, 1);
      this.#release(followed, followed.pending.splice(0));
    };
  }

  /** Calls `listener` with keys that need not wait any longer. */
  onReleased(listener: (requests: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` with the version of every write that is noted. */
  onWritten(listener: (version: string) => void): void {
    this.#writeListeners.push(listener);
  }

  /** Notes a successful write: what the server answered. Writes of kinds nobody follows are ignored. */
  written(kind: Kind, object: KubeObject, answer: Answer = 'object'): void {
    const { resourceVersion: version, namespace } = object.metadata;
    if (version === undefined || !isComparable(version)) return;
    for (const listener of this.#writeListeners) listener(version);
    const due = this.#clock.monotonic() + this.#deadline;
    for (const followed of this.#followersOf(kind)) {
      const { source, answers } = followed;
      if (source.namespace !== undefined && source.namespace !== namespace) continue;
      if (hasReached(source.seen(), version)) continue;
      this.#hold(followed, { requests: source.requestsOf(object), version, due });
      if (answer === 'object' && kind.version === source.kind.version) answers.set(version, object);
    }
  }

  /** Whether a run of this key might read something older than our last write for it. */
  isWaiting(request: string): boolean {
    return this.#holds.has(request);
  }

  /** Our own whole object of that version, if we wrote it and its echo is still to come: no need to parse the event. */
  answerOf<T extends KubeObject>(kind: Kind<T>, version: string): T | undefined {
    for (const { answers } of this.#followersOf(kind)) {
      const answer = answers.get(version);
      if (answer !== undefined) return answer as T;
    }
    return undefined;
  }

  /** Told by a store's owner whenever {@link WriteSource.seen} may have moved. */
  advanced(kind: Kind): void {
    for (const followed of this.#followersOf(kind)) {
      if (followed.pending.length === 0) continue;
      const seen = followed.source.seen();
      const ahead = followed.pending.findIndex(({ version }) => !hasReached(seen, version));
      const count = ahead === -1 ? followed.pending.length : ahead;
      if (count > 0) this.#release(followed, followed.pending.splice(0, count));
    }
  }

  health(): OwnWritesHealth {
    return { waiting: this.#holds.size, overdue: this.#overdue };
  }

  #followersOf(kind: Kind): readonly Followed[] {
    const resource = resourceOf(kind);
    return this.#followed.filter((followed) => followed.resource === resource);
  }

  #hold({ pending }: Followed, write: Pending): void {
    const before = pending.findLastIndex(({ version }) => !isOlder(write.version, version));
    pending.splice(before + 1, 0, write);
    for (const request of write.requests) this.#holds.set(request, (this.#holds.get(request) ?? 0) + 1);
    this.#cancelTimer ??= this.#clock.after(this.#deadline, () => this.#expire());
  }

  #release({ answers }: Followed, writes: readonly Pending[]): void {
    for (const { version } of writes) answers.delete(version);
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
    for (const followed of this.#followed) {
      const late = followed.pending.filter(({ due }) => due <= now);
      followed.pending = followed.pending.filter(({ due }) => due > now);
      this.#overdue += late.length;
      this.#release(followed, late);
    }
    const next = this.#followed
      .flatMap(({ pending }) => pending)
      .reduce((due, write) => Math.min(due, write.due), Infinity);
    if (next !== Infinity) this.#cancelTimer ??= this.#clock.after(next - now, () => this.#expire());
  }
}
