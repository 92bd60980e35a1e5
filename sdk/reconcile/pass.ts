/** Pass: named steps over one object, with a condition for the outcome and a single write of the status. */

import type { Draft } from 'immer';
import { isDeleting, type KubeObject } from '../api/object.ts';
import { cutText } from '../cut-text.ts';
import { isRace } from '../errors.ts';
import { messageOf } from '../thrown.ts';
import { asksForMore, combineResults, done, type Reconciler, type Request, type Result } from './reconciler.ts';
import {
  draftOf,
  failureReason,
  type OutcomeReason,
  type StatusDraft,
  type StatusOf,
  successCondition,
} from './status.ts';
import { declareConditions } from './written-conditions.ts';

/** Request for an existing object, with a draft of its status. */
export interface Context<T extends KubeObject> extends Request<T> {
  readonly object: T;
  /** Draft of the status; written once when the pass ends, and only if it differs. */
  readonly status: Draft<StatusOf<T>>;
  /** Sets a condition for the object's generation; written with the status. */
  readonly condition: StatusDraft<T>['condition'];
}

/** Return value of a step. Nothing, or a result with only a `state`: the next step runs. Any other result ends the pass. */
export type StepResult = Promise<Result | undefined | void>;

/** Named step of a pass. */
export interface Step {
  readonly name: string;
  run(): StepResult;
}

/** Optional fields of the status, besides `conditions`; name only those that the kind has. */
export type StatusField = 'isOnError' | 'lastErrorMessage' | 'observedGeneration' | 'phase' | 'isSync';

/** Parts of the status that a pass maintains. */
export interface StatusOptions {
  /** Condition type for the outcome of the last pass. @default 'Ready' */
  readonly condition?: string;
  /** @default [] */
  readonly fields?: readonly StatusField[];
}

/** Hooks and status options of a pass. */
export interface PassHooks<T extends KubeObject> {
  /** `false` for a kind without conditions in its status: the status is not written then. @default the condition Ready */
  readonly status?: StatusOptions | false;
  /** Handles an error of a step: returning nothing keeps the error; a result replaces it. */
  onError?(context: Context<T>, error: unknown, step: string): StepResult;
  /** Called after the last step; its result becomes the result of the pass. */
  onSuccess?(context: Context<T>): StepResult;
}

/** Options of {@link pass}. */
export interface PassOptions<T extends KubeObject> extends PassHooks<T> {
  readonly steps: (context: Context<T>) => readonly Step[];
  /** Returns the steps while the object is being deleted and a finalizer is kept for it; they do not run without one. */
  readonly cleanUp: (context: Context<T>) => readonly Step[];
  /** Event reason of the warning for a failure. */
  readonly warning: string;
}

/** Returns the condition type for the outcome of a pass; none when the status is not written. */
const outcomeConditions = <T extends KubeObject>({ status = {} }: Pick<PassHooks<T>, 'status'>): readonly string[] =>
  status === false ? [] : [status.condition ?? successCondition];

/** Maximum length of `lastErrorMessage`, in UTF-16 code units. */
const maxErrorLength = 1024;

/** Returns a function that reports the outcome in the status. */
function reporterOf<T extends KubeObject>({ status = {} }: PassHooks<T>, context: Context<T>) {
  if (status === false) return () => undefined;
  const { fields = [] } = status;
  const [type = successCondition] = outcomeConditions({ status });
  const values = context.status as Record<string, unknown>;
  const set = (next: Partial<Record<StatusField, unknown>>): void => {
    for (const field of fields) if (field in next) values[field] = next[field];
  };
  return (reason: OutcomeReason, message: string): void => {
    const isDone = reason === 'Success';
    context.condition({ type, status: isDone ? 'True' : 'False', reason, message });
    if (reason === 'Waiting') return;
    set({
      isOnError: !isDone,
      lastErrorMessage: isDone ? undefined : cutText(message, maxErrorLength),
      isSync: isDone,
    });
    if (isDone) set({ observedGeneration: context.object.metadata.generation, phase: 'running' });
  };
}

/** Returns the clean-up steps; none unless a finalizer is kept for this reconciler. */
const cleanUpsOf = <T extends KubeObject>({ cleanUp }: PassOptions<T>, context: Context<T>): readonly Step[] =>
  context.finalizer === undefined ? [] : cleanUp(context);

/** Runs the steps up to the first result that asks for more, then `onSuccess` after the last one. Returns the combined results. */
async function runSteps<T extends KubeObject>(options: PassOptions<T>, context: Context<T>): Promise<Result> {
  const { object, events } = context;
  const deleting = isDeleting(object);
  const report = reporterOf(options, context);
  const results: Result[] = [];
  let step = '';
  try {
    for (const { name, run } of deleting ? cleanUpsOf(options, context) : options.steps(context)) {
      step = name;
      const result = (await run()) ?? done;
      results.push(result);
      if (!asksForMore(result)) continue;
      report('Waiting', `waiting for ${name}`);
      return combineResults(results);
    }
    if (deleting) return combineResults(results);
    step = 'onSuccess';
    report('Success', '');
    return combineResults([...results, (await options.onSuccess?.(context)) ?? done]);
  } catch (error) {
    if (isRace(error)) throw error;
    const message = `${step}: ${messageOf(error)}`;
    report(failureReason(error), message);
    events.event(object, 'Warning', options.warning, message);
    const result = await options.onError?.(context, error, step);
    if (result === undefined) throw error;
    return combineResults([...results, result]);
  }
}

/**
 * Creates a reconciler that runs named steps, reports the outcome in one condition, and writes the status once. Does nothing for an object that
 * does not exist any more.
 */
export const pass = <T extends KubeObject>(options: PassOptions<T>): Reconciler<T> =>
  declareConditions('pass', { own: outcomeConditions(options) }, async (request) => {
    const { object } = request;
    if (object === undefined) return done;
    const draft = draftOf(request, object);
    const context: Context<T> = { ...request, object, status: draft.value, condition: draft.condition };
    const write = async (): Promise<void> => (options.status === false ? undefined : draft.write());
    const result = await runSteps(options, context).catch(async (error: unknown) => {
      if (!isRace(error)) await write();
      throw error;
    });
    await write();
    return result;
  });
