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
  /** Condition on the object, undefined when it is gone: holds unless it throws or returns false. Called for each change. */
  check(object: T | undefined): Promise<unknown> | unknown;
}

/** Options of {@link testSteps}. */
export interface StepsOptions<T extends KubeObject> {
  readonly client: StepClient;
  readonly kind: Kind<T>;
  readonly key: ObjectKey;
  readonly steps: readonly TestStep<T>[];
  /** Time limit of each step, in ms. @default 10 000 */
  readonly deadline?: number;
  readonly clock?: Pick<Clock, 'after'>;
}

/** Returns the reason why a check fails, or undefined when it holds. */
async function objection<T extends KubeObject>({ check }: TestStep<T>, object: T | undefined): Promise<unknown> {
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

/** Follows changes of the object until the step's check holds, and resolves with the object at that change. */
async function until<T extends KubeObject>(
  step: TestStep<T>,
  changes: AsyncIterable<T | undefined>,
  late: () => boolean,
): Promise<T | undefined> {
  let last: T | undefined;
  let why: unknown = 'nothing was heard of the object';
  for await (const object of changes) {
    last = object;
    why = await objection(step, object);
    if (why === undefined) return object;
  }
  const reason = why instanceof Error ? why.message : why;
  const when = late() ? 'in time' : 'before the watch ended';
  throw new Error(`step ${step.name} did not come true ${when}: ${reason}; last seen: ${textOf(last)}`, { cause: why });
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
 * Runs steps on one object (operator-sdk-extra's TestCase): each step acts, then waits on a watch, without polling,
 * until its check holds.
 * Works against any server, in memory or not.
 * @throws Error naming the step that did not come true, why, and the object as it was last seen
 */
export async function testSteps<T extends KubeObject>(options: StepsOptions<T>): Promise<void> {
  const { steps, deadline = 10_000, clock = systemClock, kind, key } = options;
  if (steps.length === 0) throw new TypeError(`testSteps of ${kind.kind} ${keyOf(key)}: at least one step is expected`);
  let object: T | undefined;
  for (const step of steps) {
    await step.act?.(object);
    const over = new AbortController();
    let late = false;
    const cancel = clock.after(deadline, () => {
      late = true;
      over.abort();
    });
    try {
      object = await until(step, changesOf(options, over.signal), () => late);
    } finally {
      cancel();
      over.abort();
    }
  }
}
