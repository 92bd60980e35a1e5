/** State of a key between its runs, and its transitions. All functions are pure. */

import type { KubeObject } from '../../api/object.ts';
import type { Change } from '../../client/cache/store.ts';
import { RetryError } from '../../errors.ts';
import { mergeEvents, type ObjectEvent } from '../../reconcile/object-event.ts';
import type { Cause, Run, State } from '../../reconcile/reconciler.ts';
import type { Settled } from './next-run.ts';

/** Deletion of a previous object of the same key, and the cause of the run that handles it. */
export interface PreviousDeletion {
  readonly event: ObjectEvent<KubeObject>;
  readonly cause: 'deleted' | 'retry' | 'requeue';
}

/** State that the engine keeps of one key between its runs. */
export interface RunState {
  /** Cause of the next run; undefined when that is the delayed request. */
  readonly cause: Cause | undefined;
  /** Cause of the delayed run. */
  readonly delayed: 'retry' | 'requeue';
  /** Number of failed runs in a row. */
  readonly attempt: number;
  readonly state: State | undefined;
  /** Incremented when a change supersedes pending retries and requeues. */
  readonly epoch: number;
  /** Unhandled deletion of a replaced object of the same key. It is handled before any event of the current object. */
  readonly previousDeletion: PreviousDeletion | undefined;
  /** Unhandled event. */
  readonly event: ObjectEvent<KubeObject> | undefined;
  /** Last event that was handled successfully, for a delayed run. */
  readonly handled: ObjectEvent<KubeObject> | undefined;
}

/** State of an unknown key. */
export const initialRunState: RunState = {
  cause: undefined,
  delayed: 'requeue',
  attempt: 0,
  state: undefined,
  epoch: 0,
  previousDeletion: undefined,
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

/** Merges two causes of one run: the stronger wins; of a creation and a deletion, the later. */
export const strongerCause = (known: Cause | undefined, next: Cause): Cause =>
  known === undefined || strength[next] >= strength[known] ? next : known;

/** Returns the cause of a run for a change. */
export const causeOf = ({ type }: Pick<Change<KubeObject>, 'type'>): 'created' | 'updated' | 'deleted' =>
  type === 'added' ? 'created' : type;

/**
 * Reports whether a change supersedes pending retries and requeues: a new generation, a deletion timestamp, or another object.
 * Other changes (status, labels, own writes) keep a pending retry and its state.
 */
export function supersedes({ type, object, previous }: Change<KubeObject>): boolean {
  if (type !== 'updated' || previous === undefined) return true;
  return (
    object.metadata.generation !== previous.metadata.generation ||
    object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp
  );
}

/** Returns the state without pending retries, requeues and failures; events are kept. */
export const withoutPendingRuns = (runState: RunState): RunState => ({
  ...initialRunState,
  cause: runState.cause,
  previousDeletion: runState.previousDeletion,
  event: runState.event,
  epoch: runState.epoch + 1,
});

/** Adds an event. An object that is created and deleted while the deletion of its predecessor is unhandled is not reported. */
export function withEvent(runState: RunState, next: ObjectEvent<KubeObject>): RunState {
  const { event, previousDeletion } = runState;
  if (next.action === 'created' && event?.action === 'deleted')
    return { ...runState, previousDeletion: previousDeletion ?? { event, cause: 'deleted' }, event: next };
  if (next.action === 'deleted' && previousDeletion !== undefined) return { ...runState, event: undefined };
  return { ...runState, event: mergeEvents(event, next) };
}

/** Due run: its input, and the state to keep while it runs. */
export interface ScheduledRun<T extends KubeObject> {
  readonly run: Omit<Run<T>, 'key' | 'signal'>;
  readonly memory: RunState;
  /** True when the run handles the deletion of a replaced object. */
  readonly isPreviousDeletion: boolean;
}

/**
 * Returns the next run of a key whose current object is `object`. Undefined without an object if only a dependent or a resync caused it, since the
 * deletion was handled before.
 */
export function nextScheduledRun<T extends KubeObject>(
  runState: RunState,
  object: T | undefined,
): ScheduledRun<T> | undefined {
  const { previousDeletion, attempt, state } = runState;
  if (previousDeletion !== undefined) {
    const event = previousDeletion.event as ObjectEvent<T>;
    const run = { object: undefined, cause: previousDeletion.cause, attempt, state, event };
    return { run, memory: { ...runState, previousDeletion: undefined }, isPreviousDeletion: true };
  }
  const cause = runState.cause ?? runState.delayed;
  if (object === undefined && (cause === 'updated' || cause === 'resync')) return undefined;
  const run = { object, cause, attempt, state, event: currentEvent(runState, cause, object) };
  return { run, memory: { ...runState, cause: undefined, event: undefined }, isPreviousDeletion: false };
}

/**
 * Returns the state after a run. While a delayed request is `pending`, a successful run for another cause keeps the failures and the state of that
 * request. A result's state is passed to the requested run or to the retry; without either it is dropped.
 */
export function withOutcome(runState: RunState, settled: Settled, pending: boolean): RunState {
  if ('error' in settled) {
    const said = settled.error instanceof RetryError ? settled.error.state : undefined;
    return { ...runState, attempt: runState.attempt + 1, delayed: 'retry', ...(said && { state: said }) };
  }
  const { requeueAfter, state = runState.state } = settled.result;
  if (requeueAfter !== undefined && !pending) return { ...runState, attempt: 0, state, delayed: 'requeue' };
  if (requeueAfter !== undefined) return { ...runState, state };
  return pending ? runState : { ...runState, attempt: 0, state: undefined, delayed: 'requeue' };
}

/** Reports whether a state equals the initial one and need not be kept. */
export const isInitialRunState = ({ cause, attempt, state, previousDeletion, event }: RunState): boolean =>
  cause === undefined && attempt === 0 && state === undefined && previousDeletion === undefined && event === undefined;

/** Returns the event of a run with the current object: the unhandled event, or the one of the delayed request or of the cause. */
export function currentEvent<T extends KubeObject>(
  { event, handled }: RunState,
  cause: Cause,
  object: T | undefined,
): ObjectEvent<T> | undefined {
  const isDelayed = cause === 'retry' || cause === 'requeue';
  const known = (event ?? (isDelayed ? handled : undefined)) as ObjectEvent<T> | undefined;
  if (object === undefined || known?.action === 'deleted') return known;
  if (known === undefined) return { action: cause === 'resync' ? 'resynced' : 'updated', object };
  return known.object === object ? known : { ...known, object };
}

/** Outcome of a run; `isOver` when no retry or requeue follows. */
export interface RunOutcome {
  readonly settled: Settled;
  readonly isOver: boolean;
}

/** Returns the state with the event of a finished run: the event of a failed one is merged with later events. */
export function afterRun(
  runState: RunState,
  { run, isPreviousDeletion }: ScheduledRun<KubeObject>,
  { settled, isOver }: RunOutcome,
): RunState {
  const { event } = run;
  if (event === undefined) return runState;
  const failed = 'error' in settled;
  if (isPreviousDeletion && isOver) return { ...runState, attempt: 0, state: undefined, delayed: 'requeue' };
  if (isPreviousDeletion)
    return {
      ...runState,
      previousDeletion: runState.previousDeletion ?? { event, cause: failed ? 'retry' : 'requeue' },
    };
  if (!failed) return { ...runState, handled: event };
  if (runState.previousDeletion !== undefined) return runState;
  return { ...runState, event: runState.event === undefined ? event : mergeEvents(event, runState.event) };
}
