/** Reconciler of a single function (OKT's free style). */

import type { KubeObject } from '../../api/object.ts';
import { done, type Reconciler, type Request, type Result } from '../reconciler.ts';
import { Results } from '../results.ts';
import { type RunContext, type RunContextOptions, runContextOf } from '../run-context.ts';

/** Return value of a hook; nothing counts as an empty result. */
type HookReturn = Promise<Result | void> | Result | void;

/** Context of a run whose object is gone: without resources, which would have no owner. */
export interface GoneRunContext<T extends KubeObject> extends Request<T>, Pick<RunContext<T>, 'results'> {
  readonly object: undefined;
}

/** Options of {@link freeStyle}. */
export interface FreeStyleOptions<T extends KubeObject> extends RunContextOptions {
  /** Called instead of the hook when the object is gone: OKT calls its hook "after CR is fetched (or not)". @default nothing is called */
  readonly gone?: (context: GoneRunContext<T>) => HookReturn;
}

/**
 * Creates a reconciler of a single function, called once per run of an existing object; `gone` is called for one that does not exist any more.
 * The operations, results and errors of the call are consolidated into one result or error.
 * @throws the errors of {@link Results.settle}
 */
export const freeStyle =
  <T extends KubeObject>(
    reconcileWithCR: (context: RunContext<T>) => HookReturn,
    { gone, ...options }: FreeStyleOptions<T> = {},
  ): Reconciler<T> =>
  async (request) => {
    const { object } = request;
    if (object !== undefined) {
      const context = runContextOf(request, object, options);
      return runHook(context, () => reconcileWithCR(context));
    }
    if (gone === undefined) return done;
    const results = options.results?.(request) ?? new Results();
    return runHook({ results }, () => gone({ ...request, object: undefined, results }));
  };

/** Parts of a context that record the outcome of a hook. */
type HookOutcome = Pick<RunContext<KubeObject>, 'results'> & { readonly resources?: { settled(): Promise<void> } };

/** Calls a hook, waits for the calls of its registry, and consolidates the results. */
async function runHook({ results, resources }: HookOutcome, hook: () => HookReturn): Promise<Result> {
  try {
    results.addResult((await hook()) ?? done);
  } catch (error) {
    results.addError(error);
  }
  await resources?.settled().catch((error: unknown) => results.addError(error));
  return results.settle();
}
