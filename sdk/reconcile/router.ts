import { hasFinalizer } from '../api/finalizer.ts';
import { isDeleting, type KubeObject, keyOf } from '../api/object.ts';
import { GiveUpError } from '../errors.ts';
import { finalizer } from './finalizer.ts';
import { lastSeen } from './object-event.ts';
import { done, type Present, type Reconciler } from './reconciler.ts';
import { resources } from './resource.ts';

/** The resources of those objects that it handles: one version of an operator, say. `Data` is what its resources share during one run. */
export interface ResourceSet<T extends KubeObject, Data = unknown> {
  /** In errors. */
  readonly name: string;
  handles(object: T): boolean;
  /** Called once for each run, before any resource; what it returns is given to `resources`. One that throws fails the run. */
  initCtx?(request: Present<T>): Promise<Data> | Data;
  /** Run in this order, in reverse while the object is being deleted; or a function that makes them for one run. */
  readonly resources: readonly Reconciler<T>[] | ((data: Data, request: Present<T>) => readonly Reconciler<T>[]);
}

/** A resource set with what its resources share left to it. */
export interface AnyResourceSet<T extends KubeObject> {
  readonly name: string;
  handles(object: T): boolean;
  /** Runs its resources, whether it handles the object or not. */
  reconcile: Reconciler<T>;
}

/** A resource set to be given to {@link router}. @throws TypeError for an empty list of resources */
export function resourceSet<T extends KubeObject, Data = undefined>(set: ResourceSet<T, Data>): AnyResourceSet<T> {
  const { name, handles, initCtx, resources: own } = set;
  const fixed = typeof own === 'function' ? undefined : resources(own);
  return {
    name,
    handles,
    async reconcile(request) {
      const last = lastSeen(request);
      if (last === undefined) return done;
      const data = (await initCtx?.(last)) as Data;
      if (fixed !== undefined || typeof own !== 'function') return fixed!(request);
      return resources(own(data, last))(request);
    },
  };
}

/** How a router goes about objects. */
export interface RouterOptions {
  /** Put on the objects that a set handles, and on no other, before its resources run; see {@link finalizer}. @default none: what goes while the operator is away is not cleaned up */
  readonly finalizer?: string;
}

/**
 * Gives each object to the one set that handles it. An object that none handles is passed over: nothing runs and nothing is written.
 * One that is gone goes by its last known state to the set that handled it, unless there is a finalizer: then it was cleaned up before.
 * One that holds the finalizer, is being deleted and is handled no more (a label was taken off, say) still gets the clean-up of the set there is, if there is just one.
 * @throws GiveUpError when several sets handle an object, or when it cannot be told which of several is to clean up after one
 */
export const router =
  <T extends KubeObject>(sets: readonly AnyResourceSet<T>[], options: RouterOptions = {}): Reconciler<T> =>
  async (request) => {
    const last = lastSeen(request);
    // Behind a finalizer it went only after it was cleaned up.
    if (last === undefined || (request.object === undefined && options.finalizer !== undefined)) return done;
    const { object, key, logger } = last;
    const handling = sets.filter(({ handles }) => handles(object));
    const isOurs = options.finalizer !== undefined && isDeleting(object) && hasFinalizer(object, options.finalizer);
    const [set, ...others] = handling.length === 0 && isOurs ? sets : handling;
    if (handling.length > 1)
      throw new GiveUpError(
        `several resource sets handle ${keyOf(key)}: ${handling.map(({ name }) => name).join(', ')}; exactly one must`,
      );
    if (others.length > 0 || (isOurs && set === undefined))
      throw new GiveUpError(
        `no resource set handles ${keyOf(key)} any more, so nobody can clean up after it: ${options.finalizer} stays`,
      );
    if (set === undefined) {
      logger.debug('no resource set handles the object');
      return done;
    }
    return options.finalizer === undefined
      ? set.reconcile(request)
      : finalizer(options.finalizer, set.reconcile)(request);
  };
