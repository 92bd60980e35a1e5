import type { KubeObject } from '../api/object.ts';
import type { Request } from './reconciler.ts';
import { type RegistryOptions, ResourceRegistry } from './registry.ts';
import { Results } from './results.ts';

/** Options of a desk: of its registry, and of the results it notes into. */
export interface RunContextOptions extends RegistryOptions {
  /** Results of the caller's own for a run, to be read after it (OKT's SetResults). @default new ones for each run */
  readonly results?: (run: Pick<Request<KubeObject>, 'key' | 'id'>) => Results;
}

/** All that one run works with, for an object that is there; nothing of it is shared with another run. A reconciler takes it as its request. */
export interface RunContext<T extends KubeObject> extends Request<T> {
  readonly object: T;
  /** What the run has done so far. */
  readonly results: Results;
  /** The resources that the object is to have. */
  readonly resources: ResourceRegistry<T>;
  /** Whatever the steps of this run hand to each other. */
  readonly data: Map<string, unknown>;
}

/** The desk of one run. */
export function runContextOf<T extends KubeObject>(
  request: Request<T>,
  object: T,
  options: RunContextOptions,
): RunContext<T> {
  const results = options.results?.(request) ?? new Results();
  const resources = new ResourceRegistry<T>({ ...options, request, owner: object, results });
  return { ...request, object, results, resources, data: new Map<string, unknown>() };
}
