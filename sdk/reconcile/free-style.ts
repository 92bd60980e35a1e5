import type { KubeObject } from '../api/object.ts';
import { type Desk, type DeskOptions, deskOf } from './desk.ts';
import { done, type Reconciler, type Result } from './reconciler.ts';

/**
 * The whole of a run as one function: called once, and only while the object is there. What it notes, returns and throws comes to one result or error.
 * @throws what {@link Results.settle} throws
 */
export const freeStyle =
  <T extends KubeObject>(
    reconcileWithCR: (desk: Desk<T>) => Promise<Result | void> | Result | void,
    options: DeskOptions = {},
  ): Reconciler<T> =>
  async (request) => {
    const { object } = request;
    if (object === undefined) return done;
    const desk = deskOf(request, object, options);
    try {
      desk.results.returned((await reconcileWithCR(desk)) ?? done);
    } catch (error) {
      desk.results.thrown(error);
    }
    return desk.results.settle();
  };
