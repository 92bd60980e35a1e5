import { isDeleting, type KubeObject } from '../api/object.ts';
import { type Graph, pathThrough, walkGraph } from './machine.ts';
import { done, type Reconciler, type Request, type Result } from './reconciler.ts';
import type { Results } from './results.ts';
import { type RunContext, type RunContextOptions, runContextOf } from './run-context.ts';

/** The states of one run. */
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

/** Where each state leads: to the first child that is raised, else to the last, which is the normal course. */
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

/** What a hook has before it: the desk of its run, and the state it was called for. */
export interface StepContext<T extends KubeObject> extends RunContext<T> {
  readonly step: StepperState;
}

/** What is done in one state; any reconciler is one. A `stop` skips the states to come, delays and the like count as ever. */
export type StepHook<T extends KubeObject> = (context: StepContext<T>) => Promise<Result | void> | Result | void;

/** What authors hang onto the states; a state without a hook is passed through. */
export type StepHooks<T extends KubeObject> = {
  readonly [State in Exclude<StepperState, 'GiveupManager' | 'End'>]?: StepHook<T>;
};

async function entered<T extends KubeObject>(hook: StepHook<T> | undefined, context: StepContext<T>): Promise<void> {
  if (hook === undefined) return;
  const { results, signal, step } = context;
  try {
    if (step !== 'ErrorManager') signal.throwIfAborted();
    results.returned((await hook(context)) ?? done);
  } catch (error) {
    results.thrown(error);
  }
}

/** Nobody mends an object that is being deleted: what is wrong with it is said, and it is cleaned up all the same. */
function overruled<T extends KubeObject>({ object, results, step, logger }: StepContext<T>): void {
  if (step !== 'CRChecker' || !isDeleting(object)) return;
  for (const error of results.overrule())
    logger.warn(
      { error },
      'the object is being deleted: this alarm of CRChecker does not keep it from being cleaned up',
    );
}

/** What the run so far asks for. */
function raisedBy<T extends KubeObject>({ object, results }: RunContext<T>): ReadonlySet<StepperState> {
  const raised = new Set<StepperState>();
  if (results.isFailed) raised.add('ErrorManager');
  if (results.isOver) raised.add('GiveupManager');
  if (isDeleting(object)) raised.add('CRFinalizer');
  return raised;
}

/** What is logged of a run; put into words only if somebody listens. */
const told = (states: readonly StepperState[], results: Results) => ({
  get path() {
    return pathThrough(states);
  },
  get operations() {
    return results.counts;
  },
});

/**
 * A run in steps: check the object, get the resources it is to have, mutate them, update them on the server, then success; an error or giving up leaves
 * that course.
 *
 * # Expected flow
 * CRChecker > ObjectsGetter > Mutator > Updater > SuccessManager > End, each hook once. An object that is being deleted goes
 * CRChecker > CRFinalizer > End instead, never the normal course: put `finalizer(name, ...)` around to let it go only after a clean CRFinalizer.
 * After a hook that threw or noted an error comes ErrorManager; after one that gave up or returned `stop`, GiveupManager, which has no hook.
 * An alarm visits both, in this order.
 *
 * # Guarantees
 * An object that is gone calls no hook. Nothing is shared between runs: what a run works with is in its context.
 * The graph has no circle, so a run ends.
 *
 * # Caveats
 * CRChecker is entered for an object that is being deleted, too. An alarm there is logged and no more, as nobody will mend the object: CRFinalizer has to
 * cope with what CRChecker would refuse. An error is tried again, and giving up quietly passes the object over: both keep the finalizer.
 *
 * @param hooks by state, or a function that makes them for each run
 * @throws GiveUpError after an alarm; RetryError when an error came with a delay; else the first error as it was
 */
export const stepper =
  <T extends KubeObject>(
    hooks: StepHooks<T> | ((request: Request<T>) => StepHooks<T>),
    options: RunContextOptions = {},
  ): Reconciler<T> =>
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
      await entered(byState[state], context);
      overruled(context);
      return raisedBy(context);
    });
    logger.debug(told(states, results), 'stepped');
    return results.settle();
  };
