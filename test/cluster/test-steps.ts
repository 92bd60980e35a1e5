/** Runs stepwise tests of an operator against a cluster. */

import type { Kind } from '../../sdk/api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../sdk/api/object.ts';
import { type Clock, systemClock } from '../../sdk/clock.ts';

/** Client that {@link testSteps} needs; the SDK's client fits. */
export interface StepClient {
  watch<T extends KubeObject>(
    kind: Kind<T>,
    options: {
      readonly namespace?: string;
      readonly fields: string;
      readonly sendInitialEvents: boolean;
      readonly signal: AbortSignal;
    },
  ): AsyncIterable<
    | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
    | { readonly type: 'BOOKMARK'; readonly initialEventsEnd: boolean }
  >;
}

/** One step of a test. */
export interface TestStep<T extends KubeObject> {
  readonly name: string;
  /** Triggers the step: creates, changes or deletes the object, or breaks a dependency. @default nothing */
  act?(object: T | undefined): Promise<unknown>;
  /**
   * Condition on the object, undefined when it is gone: holds unless it throws or returns false. Called for each change of the object, and periodically,
   * since it may look at more than that; never twice at once.
   */
  check(object: T | undefined): Promise<unknown> | unknown;
}

/** Options of {@link testSteps}. */
export interface StepsOptions<T extends KubeObject> {
  readonly client: StepClient;
  readonly kind: Kind<T>;
  readonly key: ObjectKey;
  readonly steps: readonly TestStep<NoInfer<T>>[];
  /** Time limit of each step, in ms. @default 10 000 */
  readonly deadline?: number;
  readonly clock?: Pick<Clock, 'sleep'>;
}

/** Returns the reason why a check fails, or undefined when it holds. */
async function failureOf<T extends KubeObject>({ check }: TestStep<T>, object: T | undefined): Promise<unknown> {
  try {
    return (await check(object)) === false ? 'its check returned false' : undefined;
  } catch (error) {
    return error;
  }
}

const textOf = (object: KubeObject | undefined): string =>
  object === undefined
    ? 'which is gone'
    : JSON.stringify({ ...object, metadata: { ...object.metadata, managedFields: undefined } });

/** ms between checks of a step while its object does not change. */
const pause = 50;

/** Checks of one step, one after the other. */
class Checks<T extends KubeObject> {
  readonly #step: TestStep<T>;
  readonly #held = Promise.withResolvers<T | undefined>();
  #last: { readonly object: T | undefined } | undefined;
  #why: unknown = 'the object was never seen';
  #checking: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(step: TestStep<T>) {
    this.#step = step;
  }

  /** Resolves with the object for which the check held. */
  get held(): Promise<T | undefined> {
    return this.#held.promise;
  }

  /** Checks the object at each of its changes, until there are no more. */
  async follow(changes: AsyncIterable<T | undefined>): Promise<void> {
    for await (const object of changes) {
      this.#last = { object };
      await this.#check();
    }
  }

  /** Checks the object as last seen periodically, until the signal aborts. */
  async repeat(clock: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(pause, signal).catch(() => undefined);
      await this.#check();
    }
  }

  /** Fails the step. */
  fail(when: string): void {
    this.#isOver = true;
    const why = this.#why;
    const reason = why instanceof Error ? why.message : why;
    const seen = `last seen: ${textOf(this.#last?.object)}`;
    this.#held.reject(
      new Error(`step ${this.#step.name} did not come true ${when}: ${reason}; ${seen}`, { cause: why }),
    );
  }

  #check(): Promise<void> {
    this.#checking = this.#checking.then(async () => {
      if (this.#last === undefined || this.#isOver) return;
      const { object } = this.#last;
      this.#why = await failureOf(this.#step, object);
      if (this.#why !== undefined) return;
      this.#isOver = true;
      this.#held.resolve(object);
    });
    return this.#checking;
  }
}

/** Waits until a step's check holds, and resolves with the object then. */
async function heldObject<T extends KubeObject>(step: TestStep<T>, options: StepsOptions<T>): Promise<T | undefined> {
  const { deadline = 10_000, clock = systemClock } = options;
  const over = new AbortController();
  const checks = new Checks<T>(step);
  const late = () => {
    checks.fail('in time');
    over.abort();
  };
  const ended = (error?: unknown) => {
    if (!over.signal.aborted) checks.fail(`before the watch ended${error === undefined ? '' : `: ${error}`}`);
  };
  clock.sleep(deadline, over.signal).then(late, () => undefined);
  checks.follow(changesOf(options, over.signal)).then(ended, ended);
  void checks.repeat(clock, over.signal);
  try {
    return await checks.held;
  } finally {
    over.abort();
  }
}

/** Yields the object now, and after each change; undefined while it does not exist. */
async function* changesOf<T extends KubeObject>(
  { client, kind, key }: StepsOptions<T>,
  signal: AbortSignal,
): AsyncIterable<T | undefined> {
  const { namespace, name } = key;
  const fields = `metadata.name=${name}`;
  let there = false;
  for await (const event of client.watch(kind, {
    ...(namespace !== undefined && { namespace }),
    fields,
    sendInitialEvents: true,
    signal,
  })) {
    if (event.type === 'BOOKMARK') {
      if (event.initialEventsEnd && !there) yield undefined;
      continue;
    }
    there = event.type !== 'DELETED';
    yield there ? event.object : undefined;
  }
}

/**
 * Runs steps on one object (operator-sdk-extra's TestCase): each step acts, then waits until its check holds.
 * Works against any server, in memory or not. A step that waits keeps the process alive.
 * @throws Error naming the step that did not come true, why, and the object as it was last seen
 * @example
 * ```ts run
 * import { createClient, Namespace } from 'workspace-sequencer/sdk';
 * import { createCluster, testSteps } from 'workspace-sequencer/test';
 *
 * const cluster = await createCluster();
 * const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
 * const team = { name: 'team-a' };
 * await testSteps({
 *   client,
 *   kind: Namespace,
 *   key: team,
 *   steps: [
 *     { name: 'is there', act: () => client.create(Namespace, { metadata: team }), check: (seen) => seen !== undefined },
 *     { name: 'is gone', act: () => client.delete(Namespace, team), check: (seen) => seen === undefined },
 *   ],
 * });
 * await client.close();
 * await cluster.close();
 * ```
 */
export async function testSteps<T extends KubeObject>(options: StepsOptions<T>): Promise<void> {
  const { steps, kind, key } = options;
  if (steps.length === 0) throw new TypeError(`testSteps of ${kind.kind} ${keyOf(key)}: at least one step is expected`);
  let object: T | undefined;
  for (const step of steps) {
    await step.act?.(object);
    object = await heldObject<T>(step, options);
  }
}
