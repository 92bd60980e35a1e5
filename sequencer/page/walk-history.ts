/** Remembers when the conditions of workspaces changed, as this process saw it, within bounds. */

import type { Workspace } from '../../sdk/index.ts';
import type { StatusSpan } from './page-model.ts';
import { mostConditions } from './workspace-row.ts';

/** Limits of what is remembered. */
export interface HistoryLimits {
  /** Spans of one condition; the oldest are dropped. @default 32 */
  readonly perCondition?: number;
  /** Spans of all workspaces; those of the workspace that changed least recently are dropped. @default 20 000 */
  readonly total?: number;
}

/** Longest reason that is remembered, in characters. */
const longestReason = 160;

interface Beat {
  readonly text: string;
  readonly at: number;
}

interface Remembered {
  readonly uid: string;
  readonly spans: Map<string, readonly StatusSpan[]>;
  readonly beats: Map<string, Beat>;
}

const sizeOf = ({ spans }: Remembered): number => [...spans.values()].reduce((sum, { length }) => sum + length, 0);

/** Statuses of conditions over time, and the last change of each journal entry. */
export class WalkHistory {
  readonly #perCondition: number;
  readonly #total: number;
  /** By key of the workspace, least recently changed first. */
  readonly #known = new Map<string, Remembered>();
  #size = 0;

  constructor({ perCondition = 32, total = 20_000 }: HistoryLimits = {}) {
    this.#perCondition = perCondition;
    this.#total = total;
  }

  /** Notes a workspace as it is now. @param now ms since 1970 */
  note(key: string, { metadata: { uid = '' }, status }: Workspace, now: number): void {
    const former = this.#known.get(key);
    const known: Remembered =
      former?.uid === uid
        ? former
        : { uid, spans: new Map<string, readonly StatusSpan[]>(), beats: new Map<string, Beat>() };
    this.#size -= former === undefined ? 0 : sizeOf(former);
    for (const { type, status: state, reason, lastTransitionTime } of (status?.conditions ?? []).slice(
      0,
      mostConditions,
    )) {
      const began = Date.parse(lastTransitionTime);
      const next = { status: state, reason: reason.slice(0, longestReason), from: began <= now ? began : now };
      known.spans.set(type, this.#extended(known.spans.get(type), next, now));
    }
    for (const [type, entry] of Object.entries(status?.guards ?? {}).slice(0, mostConditions)) {
      const text = `${entry.phase} ${entry.holder} ${entry.token} ${entry.beat}`;
      if (known.beats.get(type)?.text !== text) known.beats.set(type, { text, at: now });
    }
    this.#known.delete(key);
    this.#known.set(key, known);
    this.#size += sizeOf(known);
    this.#shrink();
  }

  /** Removes a workspace that is gone. */
  forget(key: string): void {
    const known = this.#known.get(key);
    this.#size -= known === undefined ? 0 : sizeOf(known);
    this.#known.delete(key);
  }

  /** Returns the spans of a condition, oldest first. */
  spansOf(key: string, type: string): readonly StatusSpan[] {
    return this.#known.get(key)?.spans.get(type) ?? [];
  }

  /** Returns the time at which the journal entry of a condition was seen to change last. */
  beatOf(key: string, type: string): number | undefined {
    return this.#known.get(key)?.beats.get(type)?.at;
  }

  /** Number of spans. */
  get size(): number {
    return this.#size;
  }

  /** The first span begins with the condition's own time, which has seconds only; later ones when this process saw the change. */
  #extended(spans: readonly StatusSpan[] = [], next: Omit<StatusSpan, 'to'>, now: number): readonly StatusSpan[] {
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
