/** Retry-After times of throttled third parties: holds their calls back for that long. */

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
export class RetryAfterTimes {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #times = new Map<string, Map<string, Throttle>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Returns the ms until the call may be repeated; 0: now. */
  wait(workspace: Workspace, asked: ThrottledCall): number {
    const throttle = this.#times.get(keyOf(workspace.metadata))?.get(asked.integration.condition);
    if (throttle === undefined || throttle.callKey !== questionOf(workspace, asked)) return 0;
    return Math.max(0, Math.ceil(throttle.until - this.#clock.monotonic()));
  }

  /** Notes the result of a call. */
  note(workspace: Workspace, asked: ThrottledCall, error: unknown): void {
    const key = keyOf(workspace.metadata);
    const times = this.#times.get(key) ?? new Map<string, Throttle>();
    const retryAfter = error instanceof ThrottledError ? error.retryAfter : undefined;
    if (retryAfter === undefined) times.delete(asked.integration.condition);
    else {
      const until = this.#clock.monotonic() + retryAfter;
      times.set(asked.integration.condition, { until, callKey: questionOf(workspace, asked) });
    }
    if (times.size > 0) this.#times.set(key, times);
    else this.#times.delete(key);
  }

  /** Removes a workspace that is gone. */
  forget(key: ObjectKey): void {
    this.#times.delete(keyOf(key));
  }
}
