import type { KubeObject } from '../api/object.ts';
import { combined, type Reconciler, type Result } from './reconciler.ts';

/**
 * Runs reconcilers one after the other for the same object. A result with `stop` ends the pass; the results up to then are combined.
 * @throws the first error of any of them; the rest does not run then
 */
export const chain =
  <T extends KubeObject>(...reconcilers: readonly Reconciler<T>[]): Reconciler<T> =>
  async (request) => {
    const results: Result[] = [];
    for (const reconcile of reconcilers) {
      const result = await reconcile(request);
      results.push(result);
      if (result.stop) break;
    }
    return combined(results);
  };
