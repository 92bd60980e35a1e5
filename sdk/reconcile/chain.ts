import type { KubeObject } from '../api/object.ts';
import { combined, type Reconciler, type Result } from './reconciler.ts';

/**
 * One reconciler after the other, for the same object. A result that says `stop` ends the pass; what was wished before adds up.
 * @throws what the first of them to fail throws; the rest does not run then
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
