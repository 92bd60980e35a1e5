import {
  type Clock,
  type Integration,
  keyOf,
  type ObjectKey,
  ruleOf,
  ThrottledError,
  type Workspace,
} from '../sdk/index.ts';

/** What an integration was asked for when its third party asked for patience. */
interface Asked {
  readonly kind: string;
  readonly integration: Integration;
}

interface Throttle {
  /** Monotonic ms. */
  readonly until: number;
  /** What was asked for: another question is not held back. */
  readonly question: string;
}

const questionOf = (workspace: Workspace, { kind, integration }: Asked): string =>
  [workspace.metadata.uid, workspace.metadata.generation, kind, ruleOf(workspace, integration).policy].join(' ');

/** Remembers which third parties have asked for patience until when, by workspace and condition: whatever else makes a workspace walk meanwhile, they are left alone. */
export class Throttles {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #throttles = new Map<string, Map<string, Throttle>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** ms until the third party may be asked that again; 0: now. */
  wait(workspace: Workspace, asked: Asked): number {
    const throttle = this.#throttles.get(keyOf(workspace.metadata))?.get(asked.integration.condition);
    if (throttle === undefined || throttle.question !== questionOf(workspace, asked)) return 0;
    return Math.max(0, throttle.until - this.#clock.monotonic());
  }

  /** Notes how asking ended. */
  note(workspace: Workspace, asked: Asked, error: unknown): void {
    const key = keyOf(workspace.metadata);
    const throttles = this.#throttles.get(key) ?? new Map<string, Throttle>();
    const patience = error instanceof ThrottledError ? error.retryAfter : undefined;
    if (patience === undefined) throttles.delete(asked.integration.condition);
    else {
      const until = this.#clock.monotonic() + patience;
      throttles.set(asked.integration.condition, { until, question: questionOf(workspace, asked) });
    }
    if (throttles.size > 0) this.#throttles.set(key, throttles);
    else this.#throttles.delete(key);
  }

  /** Forgets a workspace that is gone. */
  forget(key: ObjectKey): void {
    this.#throttles.delete(keyOf(key));
  }
}
