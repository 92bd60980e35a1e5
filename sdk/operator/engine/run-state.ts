/** State of a key between its runs, and its transitions. Pure. */

import type { KubeObject } from '../../api/object.ts';
import type { Change } from '../../client/cache/store.ts';
import { RetryError } from '../../errors.ts';
import { mergeEvents, type ObjectEvent } from '../../reconcile/object-event.ts';
import type { Cause, Run, State } from '../../reconcile/reconciler.ts';
import type { Settled } from './next-run.ts';

/** Deletion of a previous object of the same key, and the cause of the run that handles it. */
export interface EarlierEnd {
  readonly event: ObjectEvent<KubeObject>;
  readonly cause: 'deleted' | 'retry' | 'requeue';
}

/** State that the engine keeps of one key between its runs. */
export interface RunState {
  /** Cause of the next run; undefined: the delayed request. */
  readonly cause: Cause | undefined;
  /** Cause of the delayed run. */
  readonly delayed: 'retry' | 'requeue';
  /** Number of failed runs in a row. */
  readonly attempt: number;
  readonly state: State | undefined;
  /** Incremented when a change supersedes older plans. */
  readonly epoch: number;
  /** Deletion of a previous object that was replaced, not handled successfully yet. It is handled before any event of its successor. */
  readonly ended: EarlierEnd | undefined;
  /** Event that was not handled successfully yet. */
  readonly event: ObjectEvent<KubeObject> | undefined;
  /** Event that was handled successfully and is to be processed again. */
  readonly handled: ObjectEvent<KubeObject> | undefined;
}

/** State of an unknown key. */
export const blank: RunState = {
  cause: undefined,
  delayed: 'requeue',
  attempt: 0,
  state: undefined,
  epoch: 0,
  ended: undefined,
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

/** Returns the cause that a change stands for. */
export const causeOf = ({ type }: Pick<Change<KubeObject>, 'type'>): 'created' | 'updated' | 'deleted' =>
  type === 'added' ? 'created' : type;

/**
 * Reports whether a change supersedes plans for the object's older state: a new spec, a deletion timestamp, or another object.
 * Other changes (status, labels, own writes) leave a pending retry and its state alone.
 */
export function supersedes({ type, object, previous }: Change<KubeObject>): boolean {
  if (type !== 'updated' || previous === undefined) return true;
  return (
    object.metadata.generation !== previous.metadata.generation ||
    object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp
  );
}

/** Drops plans and failures, and keeps the events. */
export const renewed = (runState: RunState): RunState => ({
  ...blank,
  cause: runState.cause,
  ended: runState.ended,
  event: runState.event,
  epoch: runState.epoch + 1,
});

/** Adds an event. An object that was created and deleted while an earlier deletion is still pending is not reported at all. */
export function withEvent(runState: RunState, next: ObjectEvent<KubeObject>): RunState {
  const { event, ended } = runState;
  if (next.action === 'created' && event?.action === 'deleted')
    return { ...runState, ended: ended ?? { event, cause: 'deleted' }, event: next };
  if (next.action === 'deleted' && ended !== undefined) return { ...runState, event: undefined };
  return { ...runState, event: mergeEvents(event, next) };
}

/** Run that is due: its input, and the state kept while it is running. */
export interface Turn<T extends KubeObject> {
  readonly run: Omit<Run<T>, 'key' | 'signal'>;
  readonly memory: RunState;
  /** True when it handles the deletion of a previous object. */
  readonly isEarlier: boolean;
}

/**
 * Returns the next run of a key whose current object is `object`; undefined when that is gone or unknown and only a dependent or a resync asked: its
 * deletion was handled before.
 */
export function nextTurn<T extends KubeObject>(runState: RunState, object: T | undefined): Turn<T> | undefined {
  const { ended, attempt, state } = runState;
  if (ended !== undefined) {
    const event = ended.event as ObjectEvent<T>;
    const run = { object: undefined, cause: ended.cause, attempt, state, event };
    return { run, memory: { ...runState, ended: undefined }, isEarlier: true };
  }
  const cause = runState.cause ?? runState.delayed;
  if (object === undefined && (cause === 'updated' || cause === 'resync')) return undefined;
  const run = { object, cause, attempt, state, event: currentEvent(runState, cause, object) };
  return { run, memory: { ...runState, cause: undefined, event: undefined }, isEarlier: false };
}

/**
 * Returns the state after a run. While a delayed request is `pending`, a successful run for another reason keeps the failures and the
 * state of that request. A state is passed to the run requested with it, or to the retry; without either it is dropped.
 */
export function remember(runState: RunState, settled: Settled, pending: boolean): RunState {
  if ('error' in settled) {
    const said = settled.error instanceof RetryError ? settled.error.state : undefined;
    return { ...runState, attempt: runState.attempt + 1, delayed: 'retry', ...(said && { state: said }) };
  }
  const { requeueAfter, state = runState.state } = settled.result;
  if (requeueAfter !== undefined && !pending) return { ...runState, attempt: 0, state, delayed: 'requeue' };
  if (requeueAfter !== undefined) return { ...runState, state };
  return pending ? runState : { ...runState, attempt: 0, state: undefined, delayed: 'requeue' };
}

/** Reports whether a state need not be kept. */
export const isBlankState = ({ cause, attempt, state, ended, event }: RunState): boolean =>
  cause === undefined && attempt === 0 && state === undefined && ended === undefined && event === undefined;

/** Returns the event of a run, with the object's current state: the unhandled one, else that of the delayed request or of the cause. */
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

/** Outcome of a run; `isOver`: no retry or requeue follows. */
export interface Ended {
  readonly settled: Settled;
  readonly isOver: boolean;
}

/** Returns the state with the event of a finished run: a failed event is merged with those that came since. */
export function afterRun(
  runState: RunState,
  { run, isEarlier }: Turn<KubeObject>,
  { settled, isOver }: Ended,
): RunState {
  const { event } = run;
  if (event === undefined) return runState;
  const failed = 'error' in settled;
  if (isEarlier && isOver) return { ...runState, attempt: 0, state: undefined, delayed: 'requeue' };
  if (isEarlier) return { ...runState, ended: runState.ended ?? { event, cause: failed ? 'retry' : 'requeue' } };
  if (!failed) return { ...runState, handled: event };
  if (runState.ended !== undefined) return runState;
  return { ...runState, event: runState.event === undefined ? event : mergeEvents(event, runState.event) };
}
