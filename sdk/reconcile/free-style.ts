import type { KubeObject } from '../api/object.ts';
import { done, type Reconciler, type Request, type Result } from './reconciler.ts';
import { Results } from './results.ts';
import { type RunContext, type RunContextOptions, runContextOf } from './run-context.ts';

/** A hook's answer: nothing, or a result. */
type Answer = Promise<Result | void> | Result | void;

/** The desk of a run whose object is not there: without resources, which would have no owner. */
export interface GoneDesk<T extends KubeObject> extends Request<T>, Pick<RunContext<T>, 'results' | 'data'> {
  readonly object: undefined;
}

/** Options of {@link freeStyle}. */
export interface FreeStyleOptions<T extends KubeObject> extends RunContextOptions {
  /** Called in the place of the hook when the object is not there: OKT calls its hook "after CR is fetched (or not)". @default nothing is called */
  readonly gone?: (context: GoneDesk<T>) => Answer;
}

/**
 * The whole of a run as one function: called once, and only while the object is there; `gone` is called when it is not.
 * What either notes, returns and throws comes to one result or error.
 * @throws what {@link Results.settle} throws
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
      return settled(context.results, () => reconcileWithCR(context));
    }
    if (gone === undefined) return done;
    const results = options.results?.(request) ?? new Results();
    return settled(results, () => gone({ ...request, object: undefined, results, data: new Map() }));
  };

async function settled(results: Results, hook: () => Answer): Promise<Result> {
  try {
    results.returned((await hook()) ?? done);
  } catch (error) {
    results.thrown(error);
  }
  return results.settle();
}
