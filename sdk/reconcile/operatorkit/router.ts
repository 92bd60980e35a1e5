/** Router of objects to the resource set that handles them (operatorkit). */

import { hasFinalizer } from '../../api/finalizer.ts';
import { isDeleting, type KubeObject, keyOf, objectKeyOf } from '../../api/object.ts';
import { finalizer } from '../finalizer.ts';
import { withLastKnownObject } from '../object-event.ts';
import { done, type Present, type Reconciler } from '../reconciler.ts';
import { declareConditions } from '../written-conditions.ts';
import { checkConfig, ExecutionFailedError, InvalidConfigError, NoResourceSetError } from './config-errors.ts';
import { resources } from './resource.ts';

/** Resources for a subset of the objects, for example of one operator version. Its resources share `Data` during one run. */
export interface ResourceSet<T extends KubeObject, Data = unknown> {
  /** Name in errors. */
  readonly name: string;
  handles(object: T): boolean;
  /** Called once per run, before any resource; returns the data passed to `resources`. An error fails the run. */
  initCtx?(request: Present<T>): Promise<Data> | Data;
  /** Resources, run in this order and in reverse while the object is being deleted; or a function that returns them for one run. */
  readonly resources: readonly Reconciler<T>[] | ((data: Data, request: Present<T>) => readonly Reconciler<T>[]);
}

/** Resource set without the type of its shared data. */
export interface AnyResourceSet<T extends KubeObject> {
  readonly name: string;
  handles(object: T): boolean;
  /** Returns its resources for one run, after calling `initCtx`. */
  resources(request: Present<T>): Promise<readonly Reconciler<T>[]>;
  /** Runs its resources, regardless of `handles`. */
  reconcile: Reconciler<T>;
}

/** Creates a resource set for {@link router}. @throws InvalidConfigError for an empty name, no `handles` or an empty list of resources */
export function resourceSet<T extends KubeObject, Data = undefined>(set: ResourceSet<T, Data>): AnyResourceSet<T> {
  checkConfig('resourceSet', set, ['handles']);
  const { name, handles, initCtx, resources: own } = set;
  const staticResources = typeof own === 'function' ? undefined : resources(own);
  const resourcesOf = async (request: Present<T>): Promise<readonly Reconciler<T>[]> => {
    const data = (await initCtx?.(request)) as Data;
    return typeof own === 'function' ? own(data, request) : own;
  };
  return {
    name,
    handles,
    resources: resourcesOf,
    reconcile: declareConditions<Reconciler<T>>('resourceSet', { inner: [[staticResources]] }, async (request) => {
      const last = withLastKnownObject(request);
      if (last === undefined) return done;
      const list = await resourcesOf(last);
      return (staticResources ?? resources(list))(request);
    }),
  };
}

/** Options of {@link router}. */
export interface RouterOptions {
  /**
   * Finalizer, added only to objects that a set handles, before its resources run; see {@link finalizer}. @default none: objects deleted while the
   * operator is down are not cleaned up
   */
  readonly finalizer?: string;
}

/** Reconciler that routes each object to a resource set; the lookup is available separately. */
export interface Router<T extends KubeObject> extends Reconciler<T> {
  /** Returns the set that handles an object. @throws NoResourceSetError without one, ExecutionFailedError for several */
  resourceSet(object: T): AnyResourceSet<T>;
}

/** Returns the sets that handle an object: one or none. @throws ExecutionFailedError for several */
function matchingSets<T extends KubeObject>(
  sets: readonly AnyResourceSet<T>[],
  object: T,
): readonly AnyResourceSet<T>[] {
  const found = sets.filter(({ handles }) => handles(object));
  if (found.length < 2) return found;
  const names = found.map(({ name }) => name).join(', ');
  throw new ExecutionFailedError(
    `several resource sets handle ${keyOf(objectKeyOf(object))}: ${names}; exactly one must`,
  );
}

/**
 * Returns the set for an object: the matching one, or the only one for the clean-up of an object that matches none. @throws NoResourceSetError when
 * several could clean up
 */
function setFor<T extends KubeObject>(
  sets: readonly AnyResourceSet<T>[],
  { object, key }: Present<T>,
  name: string | undefined,
): AnyResourceSet<T> | undefined {
  const found = matchingSets(sets, object);
  const isOurs = name !== undefined && isDeleting(object) && hasFinalizer(object, name);
  const [set, ...others] = found.length === 0 && isOurs ? sets : found;
  if (others.length > 0 || (isOurs && set === undefined))
    throw new NoResourceSetError(
      `no resource set handles ${keyOf(key)} any more, so nothing cleans up after it: ${name} stays`,
    );
  return set;
}

/**
 * Routes each object to the set that handles it. An object without a set is skipped: nothing runs and nothing is written.
 * A deleted object is routed by its last known state; with a finalizer it is skipped, since its clean-up has preceded the deletion.
 * An object that has the finalizer, is being deleted and matches no set any more (after a label was removed, for example) is cleaned up by the
 * only set; with several sets the run fails.
 * @throws InvalidConfigError without sets, or for two of one name; at run time ExecutionFailedError when several sets handle an object,
 * NoResourceSetError when several sets could clean up after an object. Both are a GiveUpError.
 */
export function router<T extends KubeObject>(
  sets: readonly AnyResourceSet<T>[],
  { finalizer: name }: RouterOptions = {},
): Router<T> {
  if (sets.length === 0) throw new InvalidConfigError('router: at least one resource set is expected, found none');
  for (const set of sets) checkConfig('router: resource set', set, ['handles', 'resources', 'reconcile']);
  const names = sets.map((set) => set.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw new InvalidConfigError(`router: two resource sets are called ${twice}`);
  const reconcile: Reconciler<T> = async (request) => {
    const last = withLastKnownObject(request);
    // With a finalizer, an object is gone only after its clean-up.
    if (last === undefined || (request.object === undefined && name !== undefined)) return done;
    const set = setFor(sets, last, name);
    if (set === undefined) {
      last.logger.debug('no resource set handles the object');
      return done;
    }
    return name === undefined ? set.reconcile(request) : finalizer(name, set.reconcile)(request);
  };
  const inner = [sets.map((set) => set.reconcile)];
  return Object.assign(declareConditions('router', { inner }, reconcile), {
    resourceSet(object: T): AnyResourceSet<T> {
      const [set] = matchingSets(sets, object);
      if (set === undefined) throw new NoResourceSetError(`no resource set handles ${keyOf(objectKeyOf(object))}`);
      return set;
    },
  });
}
