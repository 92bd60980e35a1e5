/** Reconciler of a single function (OKT's free style). */

import type { KubeObject } from '../../api/object.ts';
import { done, type Reconciler, type Request, type Result } from '../reconciler.ts';
import { Results } from '../results.ts';
import { type RunContext, type RunContextOptions, runContextOf } from '../run-context.ts';

/** Return value of a hook: nothing, or a result. */
type Answer = Promise<Result | void> | Result | void;

/** Context of a run whose object is gone: without resources, which would have no owner. */
export interface GoneRunContext<T extends KubeObject> extends Request<T>, Pick<RunContext<T>, 'results'> {
  readonly object: undefined;
}

/** Options of {@link freeStyle}. */
export interface FreeStyleOptions<T extends KubeObject> extends RunContextOptions {
  /** Called instead of the hook when the object is gone: OKT calls its hook "after CR is fetched (or not)". @default nothing is called */
  readonly gone?: (context: GoneRunContext<T>) => Answer;
}

/**
 * Creates a reconciler of a single function, called once per run while the object exists; `gone` is called when it does not.
 * Operations, results and errors of either are consolidated into one result or error.
 * @throws the errors of {@link Results.settle}
 */
export const freeStyle =
  <T extends KubeObject>(
    reconcileWithCR: (context: RunContext<T>) => Answer,
    { gone, ...options }: FreeStyleOptions<T> = {},
  ): Reconciler<T> =>
  async (request) => {
    const { object } = request;
    if (object !== undefined) {
      const context = runContextOf(request, object, options);
      return settled(context, () => reconcileWithCR(context));
    }
    if (gone === undefined) return done;
    const results = options.results?.(request) ?? new Results();
    return settled({ results }, () => gone({ ...request, object: undefined, results }));
  };

/** Parts of a context that hold the outcome of a hook. */
type HookOutcome = Pick<RunContext<KubeObject>, 'results'> & { readonly resources?: { settled(): Promise<void> } };

async function settled({ results, resources }: HookOutcome, hook: () => Answer): Promise<Result> {
  try {
    results.returned((await hook()) ?? done);
  } catch (error) {
    results.thrown(error);
  }
  await resources?.settled().catch((error: unknown) => results.thrown(error));
  return results.settle();
}
