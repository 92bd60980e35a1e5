import type { KubeObject } from '../api/object.ts';
import type { Request } from './reconciler.ts';
import { type RegistryOptions, ResourceRegistry } from './registry.ts';
import { Results } from './results.ts';

/** How resources are registered, see {@link RegistryOptions}. */
export type DeskOptions = RegistryOptions;

/** All that one run works with, for an object that is there; nothing of it is shared with another run. A reconciler takes it as its request. */
export interface Desk<T extends KubeObject> extends Request<T> {
  readonly object: T;
  /** What the run has done so far. */
  readonly results: Results;
  /** The resources that the object is to have. */
  readonly resources: ResourceRegistry<T>;
  /** Whatever the steps of this run hand to each other. */
  readonly data: Map<string, unknown>;
}

/** The desk of one run. */
export function deskOf<T extends KubeObject>(request: Request<T>, object: T, options: DeskOptions): Desk<T> {
  const results = new Results();
  const resources = new ResourceRegistry<T>({ ...options, request, owner: object, results });
  return { ...request, object, results, resources, data: new Map<string, unknown>() };
}
