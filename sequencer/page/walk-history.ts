/** Bounded history of the condition changes that this process has observed. */

import type { Workspace } from '../../sdk/index.ts';
import type { StatusSpan } from './page-model.ts';
import { maxConditions } from './workspace-row.ts';

/** Limits of the history. */
export interface HistoryLimits {
  /** Spans of one condition; the oldest are dropped. @default 32 */
  readonly perCondition?: number;
  /** Spans of all workspaces; those of the workspace that changed least recently are dropped. @default 20 000 */
  readonly total?: number;
}

/** Longest reason that is remembered, in characters. */
const maxReasonLength = 160;

interface JournalChange {
  readonly text: string;
  readonly at: number;
}

interface WorkspaceHistory {
  readonly uid: string;
  readonly spans: Map<string, readonly StatusSpan[]>;
  readonly journalChanges: Map<string, JournalChange>;
}

const sizeOf = ({ spans }: WorkspaceHistory): number =>
  [...spans.values()].reduce((sum, { length }) => sum + length, 0);

/** Statuses of conditions over time, and the last change of each journal entry. */
export class WalkHistory {
  readonly #perCondition: number;
  readonly #total: number;
  /** By key of the workspace, least recently changed first. */
  readonly #known = new Map<string, WorkspaceHistory>();
  #size = 0;

  constructor({ perCondition = 32, total = 20_000 }: HistoryLimits = {}) {
    this.#perCondition = perCondition;
    this.#total = total;
  }

  /** Records the current state of a workspace. @param now ms since 1970 */
  record(key: string, { metadata: { uid = '' }, status }: Workspace, now: number): void {
    const former = this.#known.get(key);
    const known: WorkspaceHistory =
      former?.uid === uid
        ? former
        : { uid, spans: new Map<string, readonly StatusSpan[]>(), journalChanges: new Map<string, JournalChange>() };
    this.#size -= former === undefined ? 0 : sizeOf(former);
    for (const { type, status: state, reason, lastTransitionTime } of (status?.conditions ?? []).slice(
      0,
      maxConditions,
    )) {
      const startedAt = Date.parse(lastTransitionTime);
      const next = {
        status: state,
        reason: reason.slice(0, maxReasonLength),
        from: startedAt <= now ? startedAt : now,
      };
      known.spans.set(type, this.#extend(known.spans.get(type), next, now));
    }
    for (const [type, entry] of Object.entries(status?.guards ?? {}).slice(0, maxConditions)) {
      const text = `${entry.phase} ${entry.holder} ${entry.token} ${entry.beat}`;
      if (known.journalChanges.get(type)?.text !== text) known.journalChanges.set(type, { text, at: now });
    }
    this.#known.delete(key);
    this.#known.set(key, known);
    this.#size += sizeOf(known);
    this.#shrink();
  }

  /** Removes a deleted workspace. */
  forget(key: string): void {
    const known = this.#known.get(key);
    this.#size -= known === undefined ? 0 : sizeOf(known);
    this.#known.delete(key);
  }

  /** Returns the spans of a condition, oldest first. */
  spansOf(key: string, type: string): readonly StatusSpan[] {
    return this.#known.get(key)?.spans.get(type) ?? [];
  }

  /** Returns the time of the last observed change of a condition's journal entry. */
  journalChangedAt(key: string, type: string): number | undefined {
    return this.#known.get(key)?.journalChanges.get(type)?.at;
  }

  /** Number of spans. */
  get size(): number {
    return this.#size;
  }

  /** The first span starts at the condition's transition time, in seconds; later ones at the time of observation. */
  #extend(spans: readonly StatusSpan[] = [], next: Omit<StatusSpan, 'to'>, now: number): readonly StatusSpan[] {
    const last = spans.at(-1);
    if (last?.status === next.status) return [...spans.slice(0, -1), { ...last, reason: next.reason }];
    const from = last === undefined ? next.from : now;
    const ended = last === undefined ? [] : [...spans.slice(0, -1), { ...last, to: now }];
    return [...ended, { ...next, from, to: undefined }].slice(-this.#perCondition);
  }

  #shrink(): void {
    for (const [key] of this.#known) {
      if (this.#size <= this.#total || this.#known.size === 1) return;
      this.forget(key);
    }
  }
}
