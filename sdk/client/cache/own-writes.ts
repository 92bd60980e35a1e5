/** Read-your-writes: delays reconciles until the cache has the operator's own writes. */

import type { Kind } from '../../api/kind.ts';
import { resourceOf } from '../../api/kind.ts';
import { type KubeObject, keyOf } from '../../api/object.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { hasReached, isComparable, isOlder } from './resource-version.ts';

/** Options of {@link OwnWrites}. */
export interface OwnWritesOptions {
  readonly clock?: Clock;
  /** ms after which a write counts as seen even without its event, so that a lost event does not block a key for longer. @default 5 000 */
  readonly deadline?: number;
}

/** Cache of one kind, in which own writes appear. */
export interface WriteSource {
  readonly kind: Kind;
  /** Watched namespace; absent: all. */
  readonly namespace?: string | undefined;
  /** Returns the version up to which the store is complete. */
  seen(): string | undefined;
  /** Reports whether the watch will deliver a write of this object, which depends on its label and field selectors. @default always */
  shows?(object: KubeObject): boolean;
  /** Returns the keys that must not be reconciled before the store has this write. */
  requestsOf(object: KubeObject): readonly string[];
  /** Replaces the stored object by one read from the server, if they differ at the same version. @default reads are not compared */
  correct?(object: KubeObject): void;
}

/** Number of waiting keys, and of waits that ended at the deadline. */
export interface OwnWritesHealth {
  readonly waiting: number;
  readonly overdue: number;
}

interface PendingWrite {
  readonly key: string;
  readonly requests: readonly string[];
  readonly version: string;
  /** Monotonic ms of the deadline. */
  readonly due: number;
  /** Called once the store has the write, or at its deadline. */
  readonly waiters: (() => void)[];
}

interface FollowedSource {
  readonly source: WriteSource;
  readonly resource: string;
  /** Ordered by version. */
  pending: PendingWrite[];
  /** Whole responses by version, until their echo has passed. */
  readonly answers: Map<string, KubeObject>;
}

/** Kind of a write's response: the whole object, or its metadata alone. */
export type AnswerDetail = 'object' | 'metadata';

/** Reports whether a source follows the object of a write and its store has not seen that version yet. */
const isBehind = (source: WriteSource, object: KubeObject, version: string): boolean =>
  (source.namespace === undefined || source.namespace === object.metadata.namespace) &&
  !hasReached(source.seen(), version) &&
  source.shows?.(object) !== false;

/**
 * Holds keys until the store has the writes made for them.
 *
 * # Guarantees
 * A key waits from the moment a write is noted until its store has seen that version or a later one of any object of the kind (which covers
 * deletions, recreated objects and lists), and never longer than the deadline.
 *
 * # Caveats
 * Deletions carry no version and are not waited for.
 */
export class OwnWrites {
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #followed: FollowedSource[] = [];
  readonly #listeners: ((requests: readonly string[]) => void)[] = [];
  /** Number of pending writes by key. */
  readonly #holds = new Map<string, number>();
  #cancelTimer: (() => void) | undefined;
  #overdue = 0;

  readonly #writeListeners: ((version: string) => void)[] = [];
  readonly #overdueListeners: ((version: string) => void)[] = [];

  constructor({ clock = systemClock, deadline = 5000 }: OwnWritesOptions = {}) {
    this.#clock = clock;
    this.#deadline = deadline;
  }

  /** Adds a kind whose writes hold keys. @returns a function that removes it and releases its keys */
  follow(source: WriteSource): () => void {
    const followed: FollowedSource = { source, resource: resourceOf(source.kind), pending: [], answers: new Map() };
    this.#followed.push(followed);
    return () => {
      const index = this.#followed.indexOf(followed);
      if (index === -1) return;
      this.#followed.splice(index, 1);
      this.#release(followed, followed.pending.splice(0));
    };
  }

  /** Calls `listener` with keys that need not wait any longer. */
  onReleased(listener: (requests: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` with the version of each recorded write. */
  onWritten(listener: (version: string) => void): void {
    this.#writeListeners.push(listener);
  }

  /** Calls `listener` with the version of each write that counts as seen because of the deadline: a run may have read a state without it. */
  onOverdue(listener: (version: string) => void): void {
    this.#overdueListeners.push(listener);
  }

  /** Records a successful write with the server's response. Writes of kinds without a source are ignored. */
  written(kind: Kind, object: KubeObject, answer: AnswerDetail = 'object'): void {
    const { resourceVersion: version } = object.metadata;
    if (version === undefined || !isComparable(version)) return;
    for (const listener of this.#writeListeners) listener(version);
    const due = this.#clock.monotonic() + this.#deadline;
    for (const followed of this.#sourcesOf(kind)) {
      const { source, answers } = followed;
      if (!isBehind(source, object, version)) continue;
      const requests = source.requestsOf(object);
      this.#hold(followed, { key: keyOf(object.metadata), requests, version, due, waiters: [] });
      if (answer === 'object' && kind.version === source.kind.version) answers.set(version, object);
    }
  }

  /** Records an object that was read from the server; see {@link WriteSource.correct}. */
  read(kind: Kind, object: KubeObject): void {
    for (const { source } of this.#sourcesOf(kind)) if (source.kind.version === kind.version) source.correct?.(object);
  }

  /** Reports whether a reconcile of this key could read a state older than the last write for it. */
  isWaiting(request: string): boolean {
    return this.#holds.has(request);
  }

  /** Resolves once the store has the last write of this object, or at its deadline. */
  async untilSeen(kind: Kind, key: string): Promise<void> {
    const last = this.#sourcesOf(kind)
      .map(({ pending }) => pending.findLast((write) => write.key === key))
      .findLast((write) => write !== undefined);
    if (last !== undefined) await new Promise<void>((resolve) => last.waiters.push(resolve));
  }

  /** Returns the object of that version if it is an own write whose event is pending, so that the event need not be parsed. */
  answerOf<T extends KubeObject>(kind: Kind<T>, version: string): T | undefined {
    for (const { answers } of this.#sourcesOf(kind)) {
      const answer = answers.get(version);
      if (answer !== undefined) return answer as T;
    }
    return undefined;
  }

  /** Called by a store's owner whenever {@link WriteSource.seen} may have advanced. */
  advanced(kind: Kind): void {
    for (const followed of this.#sourcesOf(kind)) {
      if (followed.pending.length === 0) continue;
      const seen = followed.source.seen();
      const earlier = followed.pending.findIndex(({ version }) => !hasReached(seen, version));
      const count = earlier === -1 ? followed.pending.length : earlier;
      if (count > 0) this.#release(followed, followed.pending.splice(0, count));
    }
  }

  health(): OwnWritesHealth {
    return { waiting: this.#holds.size, overdue: this.#overdue };
  }

  #sourcesOf(kind: Kind): readonly FollowedSource[] {
    const resource = resourceOf(kind);
    return this.#followed.filter((followed) => followed.resource === resource);
  }

  #hold({ pending }: FollowedSource, write: PendingWrite): void {
    const before = pending.findLastIndex(({ version }) => !isOlder(write.version, version));
    pending.splice(before + 1, 0, write);
    for (const request of write.requests) this.#holds.set(request, (this.#holds.get(request) ?? 0) + 1);
    this.#cancelTimer ??= this.#clock.after(this.#deadline, () => this.#expire());
  }

  #release({ answers }: FollowedSource, writes: readonly PendingWrite[]): void {
    for (const { version } of writes) answers.delete(version);
    for (const { waiters } of writes) for (const wake of waiters) wake();
    const released = writes.flatMap(({ requests }) => requests.filter((request) => this.#dropHold(request)));
    if (released.length > 0) for (const listener of this.#listeners) listener(released);
  }

  /** Removes one hold of a key. @returns whether it was the last */
  #dropHold(request: string): boolean {
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
      for (const listener of this.#overdueListeners) for (const { version } of late) listener(version);
      this.#release(followed, late);
    }
    const next = this.#followed
      .flatMap(({ pending }) => pending)
      .reduce((due, write) => Math.min(due, write.due), Infinity);
    if (next !== Infinity) this.#cancelTimer ??= this.#clock.after(next - now, () => this.#expire());
  }
}
