/** Default hooks that report success and errors as a condition (OKT). */

import type { KubeObject } from '../api/object.ts';
import type { StandardCondition } from '../api/standard-condition.ts';
import { isRace } from '../errors.ts';
import { backoffs } from '../retry.ts';
import type { RunContext } from './run-context.ts';
import { draftOf, type OutcomeReason } from './status.ts';

type SuccessState = Pick<StandardCondition, 'status' | 'message'> & { readonly reason: OutcomeReason };

const conditionsOf = (object: KubeObject): readonly StandardCondition[] =>
  (object as { readonly status?: { readonly conditions?: readonly StandardCondition[] } }).status?.conditions ?? [];

const currentCondition = ({ object, successCondition }: RunContext<KubeObject>): StandardCondition | undefined =>
  conditionsOf(object).find(({ type }) => type === successCondition);

/** Replaces the condition with a new transition time; a failed write is recorded in the results, not thrown. */
async function write<T extends KubeObject>(context: RunContext<T>, state: SuccessState): Promise<void> {
  const { object, results, successCondition } = context;
  const draft = draftOf<T>(context, object);
  const others = conditionsOf(object).filter(({ type }) => type !== successCondition);
  (draft.value as { conditions?: unknown }).conditions = others;
  draft.condition({ type: successCondition, ...state });
  try {
    await draft.write();
    results.addOpSuccess('StatusUpdateSuccess');
  } catch (error) {
    context.logger.debug({ err: error }, 'status not written');
    results.addOp('StatusUpdateError', { requeueAfter: backoffs.successCondition.initialDelay });
  }
}

/** Reports whether the condition has a state already, for this generation. */
const isReported = (context: RunContext<KubeObject>, state: Partial<SuccessState>): boolean => {
  const current = currentCondition(context);
  const names = Object.keys(state) as (keyof SuccessState)[];
  return (
    current?.observedGeneration === context.object.metadata.generation &&
    names.every((name) => current?.[name] === state[name])
  );
};

/**
 * Default hook of SuccessManager: sets the success condition to True for this generation, with the operations of the run; to False while creations
 * are delayed. An unchanged condition is not written.
 */
export async function manageSuccess<T extends KubeObject>(context: RunContext<T>): Promise<void> {
  const { CreateDelayed: delayed = 0, ...rest } = context.results.counts;
  const waiting: SuccessState = { status: 'False', reason: 'Waiting', message: `CreateDelayed: ${delayed}` };
  if (delayed > 0) return isReported(context, waiting) ? undefined : write(context, waiting);
  if (isReported(context, { status: 'True' })) return;
  const counts = Object.entries(rest).map(([name, count]) => `${name}: ${count}`);
  await write(context, { status: 'True', reason: 'Success', message: counts.join(', ') });
}

/**
 * Default hook of ErrorManager: sets the success condition to False, with the error.
 * A repeated failure is not written again. The delay to the next run is the age of the failure, so that it doubles each time, within
 * `backoffs.sameFailure`.
 * Does nothing without an error, or after a race that the engine resolves by itself.
 */
export async function manageError<T extends KubeObject>(context: RunContext<T>): Promise<void> {
  const { error, givenUp } = context.results.consolidated();
  if (error === undefined || isRace(error)) return;
  const reason = givenUp ? 'GivenUp' : 'Failed';
  const state: SuccessState = { status: 'False', reason, message: error.message };
  if (!isReported(context, state)) return write(context, state);
  if (givenUp) return;
  const age = Math.abs(context.clock.now() - Date.parse(currentCondition(context)!.lastTransitionTime)); // the wall clock may go back
  context.results.addOp('SameStatusError', { requeueAfter: Math.max(backoffs.sameFailure.initialDelay, age) });
}
