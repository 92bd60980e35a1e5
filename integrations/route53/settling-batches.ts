/** Accepted batches that are not yet on all name servers of Route 53 (status PENDING). */

import { type Clock, DefiniteError, messageOf, timestamp } from '../../sdk/index.ts';
import type { SettlingChanges } from '../dns/backend.ts';
import type { Route53Api, TakenChange } from './route53-api.ts';

/** Batches of one workspace. */
interface PendingBatches {
  readonly ids: readonly string[];
  /** Monotonic ms. */
  readonly since: number;
  readonly due: number;
}

/** ms until the first question about a batch, and between two of them at most; each comes after as long as was waited already. */
const questions = { first: 5_000, last: 30_000 };
/** ms after which it is waited no longer. */
const syncTimeout = 300_000;

/** Pending batches, in memory only: they are forgotten by a restart. */
export class SettlingBatches {
  readonly #api: Pick<Route53Api, 'isInSync'>;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, PendingBatches>();

  constructor(api: Pick<Route53Api, 'isInSync'>, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Waits for a batch of a workspace, unless all name servers have it. */
  add(owner: string, { id, isInSync }: TakenChange): void {
    const now = this.#clock.monotonic();
    for (const [other, { since }] of this.#waiting) if (now - since >= 2 * syncTimeout) this.#waiting.delete(other);
    if (isInSync || id === '') return;
    const ids = [...(this.#waiting.get(owner)?.ids ?? []), id];
    this.#waiting.set(owner, { ids, since: now, due: now + questions.first });
  }

  /** Returns the pending batch of a workspace; undefined without one. Due batches are polled sequentially. */
  async stateOf(owner: string, signal: AbortSignal): Promise<SettlingChanges | undefined> {
    const found = this.#waiting.get(owner);
    if (found === undefined) return undefined;
    const now = this.#clock.monotonic();
    const left = now < found.due ? found.ids : await this.#stillPending(found.ids, signal);
    if (typeof left !== 'string' && left.length > 0 && now - found.since < syncTimeout)
      return this.#next(owner, { ...found, ids: left });
    this.#waiting.delete(owner);
    if (typeof left === 'string') return { reason: `propagation could not be checked: ${left}`, wait: undefined };
    const reason = `Route 53 has not said within ${syncTimeout / 60_000} minutes that its name servers have it`;
    return left.length === 0 ? undefined : { reason, wait: undefined };
  }

  #next(owner: string, found: PendingBatches): SettlingChanges {
    const now = this.#clock.monotonic();
    const wait = Math.min(questions.last, Math.max(questions.first, now - found.since));
    const due = now < found.due ? found.due : now + wait;
    this.#waiting.set(owner, { ...found, due });
    const until = timestamp(this.#clock.now() + found.since + syncTimeout - now);
    return { reason: `waiting until the name servers of Route 53 have it (PENDING), until ${until}`, wait: due - now };
  }

  /** Returns the ids of the batches that name servers do not have; or the refusal of the question. */
  async #stillPending(ids: readonly string[], signal: AbortSignal): Promise<readonly string[] | string> {
    try {
      for (const [index, id] of ids.entries()) if (!(await this.#api.isInSync(id, signal))) return ids.slice(index);
      return [];
    } catch (error) {
      return error instanceof DefiniteError ? messageOf(error) : ids;
    }
  }
}
