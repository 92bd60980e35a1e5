import type { KubeObject } from '../api/object.ts';
import type { Change } from '../client/store.ts';
import { RetryError } from '../errors.ts';
import { mergedEvent, type ObjectEvent } from '../reconcile/object-event.ts';
import type { Cause, Run, State } from '../reconcile/reconciler.ts';
import type { Settled } from './next-run.ts';

/** The end of an earlier object of a key, and why a run is about it. */
export interface EarlierEnd {
  readonly event: ObjectEvent<KubeObject>;
  readonly cause: 'deleted' | 'retry' | 'requeue';
}

/** What the engine remembers of one key between its runs. */
export interface RunState {
  /** Why the next run happens; undefined: because of a delayed wish. */
  readonly cause: Cause | undefined;
  /** Why a delayed run was asked for. */
  readonly delayed: 'retry' | 'requeue';
  /** Runs in a row that failed. */
  readonly attempt: number;
  readonly state: State | undefined;
  /** Rises whenever a change makes older plans void. */
  readonly epoch: number;
  /** The end of an object in whose place another is by now: not handled yet, or not well. It is told before anything of the other. */
  readonly ended: EarlierEnd | undefined;
  /** What happened and was not handled yet, or not well. */
  readonly event: ObjectEvent<KubeObject> | undefined;
  /** What was handled well, and is to be looked at again. */
  readonly handled: ObjectEvent<KubeObject> | undefined;
}

/** Nothing remembered. */
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
export const renewed = (runState: RunState): RunState => ({
  ...blank,
  cause: runState.cause,
  ended: runState.ended,
  event: runState.event,
  epoch: runState.epoch + 1,
});

/** The memory once more has happened to the key. A life that began and ended behind an end that is still to be told is not told at all. */
export function happened(runState: RunState, next: ObjectEvent<KubeObject>): RunState {
  const { event, ended } = runState;
  if (next.action === 'created' && event?.action === 'deleted')
    return { ...runState, ended: ended ?? { event, cause: 'deleted' }, event: next };
  if (next.action === 'deleted' && ended !== undefined) return { ...runState, event: undefined };
  return { ...runState, event: mergedEvent(event, next) };
}

/** One run that is due: what it is told, and what is remembered while it is on. */
export interface Turn<T extends KubeObject> {
  readonly run: Omit<Run<T>, 'key' | 'signal'>;
  readonly memory: RunState;
  /** `true`: it is about the end of an earlier object. */
  readonly isEarlier: boolean;
}

/** The next run of a key whose object is now `object`; undefined for a dependent of something that is gone or never was here: its own end has been told. */
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
 * What is remembered after a run. While a delayed wish is `pending`, a run for another reason that went well does not
 * clear the failures and the state that the wish is about. A state goes to the run that is asked for with it, or after a failure; without either it ends here.
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

/** Whether there is nothing worth remembering. */
export const isBlankState = ({ cause, attempt, state, ended, event }: RunState): boolean =>
  cause === undefined && attempt === 0 && state === undefined && ended === undefined && event === undefined;

/** What a run is about, with the object as it is now: what nobody has handled well, else what a delayed wish or the cause says. */
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

/** The end of a run; `isOver`: no other follows by itself. */
export interface Ended {
  readonly settled: Settled;
  readonly isOver: boolean;
}

/** What of an event is remembered after its run: one that failed is joined with what came since. */
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
  return { ...runState, event: runState.event === undefined ? event : mergedEvent(event, runState.event) };
}
