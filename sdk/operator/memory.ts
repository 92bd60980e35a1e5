import type { KubeObject } from '../api/object.ts';
import type { Change } from '../client/store.ts';
import { RetryError } from '../errors.ts';
import { mergedEvent, type ObjectEvent } from '../reconcile/object-event.ts';
import type { Cause, State } from '../reconcile/reconciler.ts';
import type { Settled } from './next-run.ts';

/** What the engine remembers of one key between its runs. */
export interface Memory {
  /** Why the next run happens; undefined: because of a delayed wish. */
  readonly cause: Cause | undefined;
  /** Why a delayed run was asked for. */
  readonly wish: 'retry' | 'requeue';
  /** Runs in a row that failed. */
  readonly attempt: number;
  readonly state: State | undefined;
  /** Rises whenever a change makes older plans void. */
  readonly epoch: number;
  /** What happened and was not handled yet, or not well. */
  readonly event: ObjectEvent<KubeObject> | undefined;
  /** What was handled well, and is to be looked at again. */
  readonly handled: ObjectEvent<KubeObject> | undefined;
}

/** Nothing remembered. */
export const blank: Memory = {
  cause: undefined,
  wish: 'requeue',
  attempt: 0,
  state: undefined,
  epoch: 0,
  event: undefined,
  handled: undefined,
};

const strength: Readonly<Record<Cause, number>> = {
  deleted: 4,
  created: 4,
  updated: 3,
  retry: 2,
  requeue: 1,
  resync: 0,
};

/** Several reasons for one run, as one: the strongest; between being made and being deleted, the later. */
export const strongerCause = (known: Cause | undefined, next: Cause): Cause =>
  known === undefined || strength[next] >= strength[known] ? next : known;

/** The reason that a change is. */
export const causeOf = ({ type }: Pick<Change<KubeObject>, 'type'>): 'created' | 'updated' | 'deleted' =>
  type === 'added' ? 'created' : type;

/**
 * Whether a change makes plans for the object's older state void: a new spec, the wish to delete it, or another object.
 * Anything else (a status, a label, our own echo, a resync) leaves a pending retry and its state alone.
 */
export function supersedes({ type, object, previous }: Change<KubeObject>): boolean {
  if (type !== 'updated' || previous === undefined) return true;
  return (
    object.metadata.generation !== previous.metadata.generation ||
    object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp
  );
}

/** Plans are void: start afresh. */
export const renewed = (memory: Memory): Memory => ({
  ...blank,
  cause: memory.cause,
  event: memory.event,
  epoch: memory.epoch + 1,
});

/**
 * What is remembered after a run. While a delayed wish is `pending`, a run for another reason that went well does not
 * clear the failures and the state that the wish is about.
 */
export function remember(memory: Memory, settled: Settled, pending: boolean): Memory {
  if ('error' in settled) {
    const said = settled.error instanceof RetryError ? settled.error.state : undefined;
    return { ...memory, attempt: memory.attempt + 1, wish: 'retry', ...(said && { state: said }) };
  }
  const kept = pending ? memory : { ...memory, attempt: 0, state: undefined, wish: 'requeue' as const };
  return settled.result.state === undefined ? kept : { ...kept, state: settled.result.state };
}

/** Whether there is nothing worth remembering. */
export const isBlank = ({ cause, attempt, state, event }: Memory): boolean =>
  cause === undefined && attempt === 0 && state === undefined && event === undefined;

/** What a run is about, with the object as it is now: what nobody has handled well, else what a delayed wish or the cause says. */
export function currentEvent<T extends KubeObject>(
  { event, handled }: Memory,
  cause: Cause,
  object: T | undefined,
): ObjectEvent<T> | undefined {
  const isDelayed = cause === 'retry' || cause === 'requeue';
  const known = (event ?? (isDelayed ? handled : undefined)) as ObjectEvent<T> | undefined;
  if (object === undefined || known?.action === 'deleted') return known;
  if (known === undefined) return { action: cause === 'resync' ? 'resynced' : 'updated', object };
  return known.object === object ? known : { ...known, object };
}

/** What of an event is remembered after its run: one that failed is joined with what came since. */
export function afterRun(memory: Memory, event: ObjectEvent<KubeObject>, settled: Settled): Memory {
  if (!('error' in settled)) return { ...memory, handled: event };
  return { ...memory, event: memory.event === undefined ? event : mergedEvent(event, memory.event) };
}
