/** Reconcilers in sequence for one object. */

import type { KubeObject } from '../api/object.ts';
import { combineResults, type Reconciler, type Result } from './reconciler.ts';
import { declareConditions } from './written-conditions.ts';

/**
 * Runs reconcilers one after the other for the same object. A result with `stop` ends the pass; the results up to then are combined.
 * @throws TypeError when two of them write the same condition; at run time the first error of a reconciler, after which the remaining ones do not run
 */
export const chain = <T extends KubeObject>(...reconcilers: readonly Reconciler<T>[]): Reconciler<T> =>
  declareConditions('chain', { inner: reconcilers.map((one) => [one]) }, async (request) => {
    const results: Result[] = [];
    for (const reconcile of reconcilers) {
      const result = await reconcile(request);
      results.push(result);
      if (result.stop) break;
    }
    return combineResults(results);
  });
