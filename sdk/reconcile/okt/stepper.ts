/** Runs in steps with a hook for each state (OKT's standard stepper). */

import { isDeleting, type KubeObject } from '../../api/object.ts';
import { done, type Reconciler, type Request, type Result } from '../reconciler.ts';
import type { Results } from '../results.ts';
import { type RunContext, type RunContextOptions, runContextOf } from '../run-context.ts';
import { successCondition } from '../status.ts';
import { manageError, manageSuccess } from '../success-condition.ts';
import { declareConditions } from '../written-conditions.ts';
import { type Graph, pathThrough, walkGraph } from './machine.ts';

/** States of one run. */
export type StepperState =
  | 'CRChecker'
  | 'ObjectsGetter'
  | 'Mutator'
  | 'Updater'
  | 'SuccessManager'
  | 'CRFinalizer'
  | 'ErrorManager'
  | 'GiveupManager'
  | 'End';

/** Transitions of each state: to the first child whose event was raised, else to the last child, the default. */
export const steps: Graph<StepperState> = {
  CRChecker: ['ErrorManager', 'GiveupManager', 'CRFinalizer', 'ObjectsGetter'],
  ObjectsGetter: ['ErrorManager', 'GiveupManager', 'Mutator'],
  Mutator: ['ErrorManager', 'GiveupManager', 'Updater'],
  Updater: ['ErrorManager', 'GiveupManager', 'SuccessManager'],
  SuccessManager: ['ErrorManager', 'GiveupManager', 'End'],
  CRFinalizer: ['ErrorManager', 'GiveupManager', 'End'],
  ErrorManager: ['GiveupManager', 'End'],
  GiveupManager: ['End'],
  End: [],
};

/** Context of a hook: the context of its run, and the current state. */
export interface StepContext<T extends KubeObject> extends RunContext<T> {
  readonly step: StepperState;
}

/** Hook of one state; a reconciler can be one. A `stop` skips the remaining states; delays and other results still count. */
export type StepHook<T extends KubeObject> = (context: StepContext<T>) => Promise<Result | void> | Result | void;

/** Hooks by state; a state without a hook is passed through. */
export type StepHooks<T extends KubeObject> = {
  readonly [State in Exclude<StepperState, 'GiveupManager' | 'End'>]?: StepHook<T>;
};

async function runHook<T extends KubeObject>(hook: StepHook<T> | undefined, context: StepContext<T>): Promise<void> {
  if (hook === undefined) return;
  const { results, resources, signal, step } = context;
  try {
    if (step !== 'ErrorManager') signal.throwIfAborted();
    results.addResult((await hook(context)) ?? done);
  } catch (error) {
    results.addError(error);
  }
  await resources.settled().catch((error: unknown) => results.addError(error));
}

/** Logs and withdraws alarms of CRChecker for an object that is being deleted, so that the clean-up runs: its spec is not corrected any more. */
function withdrawAlarms<T extends KubeObject>({ object, results, step, logger }: StepContext<T>): void {
  if (step !== 'CRChecker' || !isDeleting(object)) return;
  for (const error of results.withdrawAlarms())
    logger.warn({ error }, 'the object is being deleted: this alarm of CRChecker does not prevent its clean-up');
}

/** Returns the events of the run so far: states that take precedence over the default transition. */
function raisedEvents<T extends KubeObject>({ object, results }: RunContext<T>): ReadonlySet<StepperState> {
  const raised = new Set<StepperState>();
  if (results.isFailed) raised.add('ErrorManager');
  if (results.isOver) raised.add('GiveupManager');
  if (isDeleting(object)) raised.add('CRFinalizer');
  return raised;
}

/** Returns the log fields of a run; getters, computed only if the log level is enabled. */
const logFieldsOf = (states: readonly StepperState[], results: Results) => ({
  get path() {
    return pathThrough(states);
  },
  get operations() {
    return results.counts;
  },
});

/**
 * Creates a reconciler that runs in steps: check the object, get its desired resources, mutate them, update them on the server, then
 * success. An error or giving up leaves this order.
 *
 * # Expected flow
 * CRChecker > ObjectsGetter > Mutator > Updater > SuccessManager > End, each hook once. An object that is being deleted takes
 * CRChecker > CRFinalizer > End instead: wrap it with `finalizer(name, ...)` to let the object go only after a successful CRFinalizer.
 * A hook that threw or recorded an error is followed by ErrorManager; one that gave up or returned `stop` by GiveupManager, which has no hook.
 * An alarm visits both, in this order.
 *
 * # Guarantees
 * No hook is called for an object that is gone. Runs share nothing: each has its own context.
 * The graph is acyclic, so a run ends.
 *
 * # Caveats
 * CRChecker is also entered for an object that is being deleted. An alarm there is only logged, since the spec is not corrected any more: CRFinalizer
 * must handle objects that CRChecker would refuse. An error is retried, and giving up quietly skips the object: both keep the finalizer.
 *
 * @param hooks by state, or a function that returns them for each run
 * @throws TypeError when two of them write the same condition; at run time GiveUpError after an alarm; RetryError when an error has a delay; else the first error unchanged
 */
export function stepper<T extends KubeObject>(
  hooks: StepHooks<T> | ((request: Request<T>) => StepHooks<T>),
  options: RunContextOptions = {},
): Reconciler<T> {
  const staticHooks: readonly object[] = typeof hooks === 'function' ? [] : Object.values(hooks);
  const isManaged = staticHooks.includes(manageSuccess) || staticHooks.includes(manageError);
  const conditions = isManaged ? [options.condition ?? successCondition] : [];
  return declareConditions(
    'stepper',
    { own: conditions, inner: staticHooks.map((hook) => [hook]) },
    async (request) => {
      const { object } = request;
      if (object === undefined) return done;
      const own: StepHooks<T> = typeof hooks === 'function' ? hooks(request) : hooks;
      const byState: { readonly [State in StepperState]?: StepHook<T> } = own;
      const context: RunContext<T> & { step: StepperState } = {
        ...runContextOf(request, object, options),
        step: 'CRChecker',
      };
      const { results, logger } = context;
      const states = await walkGraph(steps, context.step, async (state) => {
        context.step = state;
        await runHook(byState[state], context);
        withdrawAlarms(context);
        return raisedEvents(context);
      });
      logger.debug(logFieldsOf(states, results), 'run finished');
      return results.settle();
    },
  );
}
