import type { KubeObject } from '../api/object.ts';
import type { StandardCondition } from '../api/standard-condition.ts';
import { isRace } from '../errors.ts';
import type { RunContext } from './run-context.ts';
import { draftOf } from './status.ts';

/** The type of the condition that says how the last run went. */
export const reconciliationSuccess = 'ReconciliationSuccess';

/** ms until the next run when the status could not be written. */
const statusDelay = 5000;
const shortestDelay = 1000;

type SuccessState = Pick<StandardCondition, 'status' | 'reason' | 'message'>;

const conditionsOf = (object: KubeObject): readonly StandardCondition[] =>
  (object as { readonly status?: { readonly conditions?: readonly StandardCondition[] } }).status?.conditions ?? [];

const stateBefore = ({ object }: RunContext<KubeObject>): StandardCondition | undefined =>
  conditionsOf(object).find(({ type }) => type === reconciliationSuccess);

/** Writes the condition anew, so that its transition time is that of this verdict; a failure to do so is noted, not thrown. */
async function write<T extends KubeObject>(context: RunContext<T>, state: SuccessState): Promise<void> {
  const { object, results } = context;
  const draft = draftOf<T>(context, object);
  const others = conditionsOf(object).filter(({ type }) => type !== reconciliationSuccess);
  (draft.value as { conditions?: unknown }).conditions = others;
  draft.condition({ type: reconciliationSuccess, ...state });
  try {
    await draft.write();
    results.addOpSuccess('StatusUpdateSuccess');
  } catch (error) {
    context.logger.debug({ err: error }, 'status not written');
    results.addOp('StatusUpdateError', { requeueAfter: statusDelay });
  }
}

/** SuccessManager's usual hook: the condition ReconciliationSuccess is True for this generation, with what the run did. Written once, not again while it stays so. */
export async function manageSuccess<T extends KubeObject>(context: RunContext<T>): Promise<void> {
  const before = stateBefore(context);
  if (before?.status === 'True' && before.observedGeneration === context.object.metadata.generation) return;
  const counts = Object.entries(context.results.counts).map(([name, count]) => `${name}: ${count}`);
  await write(context, { status: 'True', reason: 'Success', message: counts.join(', ') });
}

/**
 * ErrorManager's usual hook: the condition ReconciliationSuccess is False, and says why.
 * The same failure again is not written again; the next run is then as far away as the failure is old, so that the delay doubles each time, up to 6 h.
 * Without an error, or after a race that the engine settles by itself, nothing is done.
 */
export async function manageError<T extends KubeObject>(context: RunContext<T>): Promise<void> {
  const { error, givenUp } = context.results.consolidated();
  if (error === undefined || isRace(error)) return;
  const reason = givenUp ? 'ErrorAndGiveup' : 'Error';
  const message = error.message;
  const before = stateBefore(context);
  const isSame =
    before?.status === 'False' &&
    before.reason === reason &&
    before.message === message &&
    before.observedGeneration === context.object.metadata.generation;
  if (!isSame) return write(context, { status: 'False', reason, message });
  if (givenUp) return;
  const age = context.clock.now() - Date.parse(before.lastTransitionTime);
  context.results.addOp('SameStatusError', { requeueAfter: Math.max(shortestDelay, age) });
}
