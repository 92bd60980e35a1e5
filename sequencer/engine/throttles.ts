/** Holds throttled calls back, and ends walks that would go on for ever. */

import { effectivePolicyOf } from '../../sdk/host/index.ts';
import {
  type Clock,
  type Integration,
  keyOf,
  type ObjectKey,
  ThrottledError,
  type Workspace,
} from '../../sdk/index.ts';

/** Call of an integration. */
interface ThrottledCall {
  readonly kind: string;
  readonly integration: Integration;
}

interface Throttle {
  /** Monotonic ms. */
  readonly until: number;
  /** Throttled call: other calls are not held back. */
  readonly callKey: string;
}

const questionOf = (workspace: Workspace, { kind, integration }: ThrottledCall): string => {
  const { uid, generation } = workspace.metadata;
  const { policy } = effectivePolicyOf(workspace, integration);
  return [uid, generation, kind, integration.name, policy].join(' ');
};

/** Remembers throttled third parties by workspace and condition, so that walks with other causes do not call them too early. */
export class Throttles {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #throttles = new Map<string, Map<string, Throttle>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Returns the ms until the call may be repeated; 0: now. */
  wait(workspace: Workspace, asked: ThrottledCall): number {
    const throttle = this.#throttles.get(keyOf(workspace.metadata))?.get(asked.integration.condition);
    if (throttle === undefined || throttle.callKey !== questionOf(workspace, asked)) return 0;
    return Math.max(0, Math.ceil(throttle.until - this.#clock.monotonic()));
  }

  /** Notes the result of a call. */
  note(workspace: Workspace, asked: ThrottledCall, error: unknown): void {
    const key = keyOf(workspace.metadata);
    const throttles = this.#throttles.get(key) ?? new Map<string, Throttle>();
    const retryAfter = error instanceof ThrottledError ? error.retryAfter : undefined;
    if (retryAfter === undefined) throttles.delete(asked.integration.condition);
    else {
      const until = this.#clock.monotonic() + retryAfter;
      throttles.set(asked.integration.condition, { until, callKey: questionOf(workspace, asked) });
    }
    if (throttles.size > 0) this.#throttles.set(key, throttles);
    else this.#throttles.delete(key);
  }

  /** Removes a workspace that is gone. */
  forget(key: ObjectKey): void {
    this.#throttles.delete(keyOf(key));
  }
}

/** Limit of the moves of one walk, for each integration. */
const maxMoves = 50;

/** Refuses a walk that continues without an end. @throws Error after too many moves: what an integration reads changes with each call */
export function throwIfEndless(moved: ReadonlySet<string>, integrations: readonly Integration[]): void {
  if (moved.size <= maxMoves * integrations.length) return;
  const names = new Set([...moved].slice(-integrations.length).map((key) => key.split('/', 2).join(' ')));
  throw new Error(
    `the walk has not ended after ${moved.size} moves: what \`reads\` or an output tells must not change with each call; the last ones: ${[...names].join(', ')}`,
  );
}
