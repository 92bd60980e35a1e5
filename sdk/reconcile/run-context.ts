/** Context of one run: request, results and resources (OKT). */

import type { KubeObject } from '../api/object.ts';
import type { Request } from './reconciler.ts';
import { type RegistryOptions, ResourceRegistry } from './registry.ts';
import { Results } from './results.ts';
import { successCondition } from './status.ts';

/** Options of a run context. */
export interface RunContextOptions extends RegistryOptions {
  /** Returns the `Results` to use for a run, so that the caller can read them afterwards (OKT's SetResults). @default new results for each run */
  readonly results?: (run: Pick<Request<KubeObject>, 'key' | 'id'>) => Results;
  /** Condition type for the outcome of the last run, as `manageSuccess` and `manageError` set it; OKT's is `ReconciliationSuccess`. @default 'Ready' */
  readonly condition?: string;
}

/** Context of one run for an existing object; nothing in it is shared with other runs. Reconcilers accept it as their request. */
export interface RunContext<T extends KubeObject> extends Request<T> {
  readonly object: T;
  /** Operations and results of the run so far. */
  readonly results: Results;
  /** Desired resources of the object. */
  readonly resources: ResourceRegistry<T>;
  /** Condition type for the outcome of the last run. */
  readonly successCondition: string;
}

/** Creates the context of one run. */
export function runContextOf<T extends KubeObject>(
  request: Request<T>,
  object: T,
  { condition = successCondition, ...options }: RunContextOptions,
): RunContext<T> {
  const results = options.results?.(request) ?? new Results();
  const resources = new ResourceRegistry<T>({ ...options, request, owner: object, results });
  return { ...request, object, results, resources, successCondition: condition };
}
