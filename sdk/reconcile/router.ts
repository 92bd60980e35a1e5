import { hasFinalizer } from '../api/finalizer.ts';
import { isDeleting, type KubeObject, keyOf, objectKeyOf } from '../api/object.ts';
import { ExecutionFailedError, InvalidConfigError, NoResourceSetError } from './config-errors.ts';
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
  /** Its resources for one run; `initCtx` is called for it. */
  resources(request: Present<T>): Promise<readonly Reconciler<T>[]>;
  /** Runs its resources, whether it handles the object or not. */
  reconcile: Reconciler<T>;
}

/** A resource set to be given to {@link router}. @throws InvalidConfigError for an empty list of resources */
export function resourceSet<T extends KubeObject, Data = undefined>(set: ResourceSet<T, Data>): AnyResourceSet<T> {
  const { name, handles, initCtx, resources: own } = set;
  const fixed = typeof own === 'function' ? undefined : resources(own);
  const resourcesOf = async (request: Present<T>): Promise<readonly Reconciler<T>[]> => {
    const data = (await initCtx?.(request)) as Data;
    return typeof own === 'function' ? own(data, request) : own;
  };
  return {
    name,
    handles,
    resources: resourcesOf,
    async reconcile(request) {
      const last = lastSeen(request);
      if (last === undefined) return done;
      const list = await resourcesOf(last);
      return (fixed ?? resources(list))(request);
    },
  };
}

/** How a router goes about objects. */
export interface RouterOptions {
  /** Put on the objects that a set handles, and on no other, before its resources run; see {@link finalizer}. @default none: what goes while the operator is away is not cleaned up */
  readonly finalizer?: string;
}

/** A reconciler that gives each object to a resource set, and can be asked which. */
export interface Router<T extends KubeObject> extends Reconciler<T> {
  /** The one set that handles an object. @throws NoResourceSetError when none does, ExecutionFailedError when several do */
  resourceSet(object: T): AnyResourceSet<T>;
}

/** The sets that handle an object: one or none. @throws ExecutionFailedError */
function handling<T extends KubeObject>(sets: readonly AnyResourceSet<T>[], object: T): readonly AnyResourceSet<T>[] {
  const found = sets.filter(({ handles }) => handles(object));
  if (found.length < 2) return found;
  const names = found.map(({ name }) => name).join(', ');
  throw new ExecutionFailedError(
    `several resource sets handle ${keyOf(objectKeyOf(object))}: ${names}; exactly one must`,
  );
}

/**
 * Gives each object to the one set that handles it. An object that none handles is passed over: nothing runs and nothing is written.
 * One that is gone goes by its last known state to the set that handled it, unless there is a finalizer: then it was cleaned up before.
 * One that holds the finalizer, is being deleted and is handled no more (a label was taken off, say) still gets the clean-up of the set there is, if there is just one.
 * @throws InvalidConfigError for two sets of one name; at run time ExecutionFailedError when several sets handle an object, NoResourceSetError when it cannot
 *   be told which of several is to clean up after one: both are a GiveUpError
 */
export function router<T extends KubeObject>(
  sets: readonly AnyResourceSet<T>[],
  { finalizer: name }: RouterOptions = {},
): Router<T> {
  const names = sets.map((set) => set.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw new InvalidConfigError(`router: two resource sets are called ${twice}`);
  const reconcile: Reconciler<T> = async (request) => {
    const last = lastSeen(request);
    // Behind a finalizer it went only after it was cleaned up.
    if (last === undefined || (request.object === undefined && name !== undefined)) return done;
    const { object, key, logger } = last;
    const found = handling(sets, object);
    const isOurs = name !== undefined && isDeleting(object) && hasFinalizer(object, name);
    const [set, ...others] = found.length === 0 && isOurs ? sets : found;
    if (others.length > 0 || (isOurs && set === undefined))
      throw new NoResourceSetError(
        `no resource set handles ${keyOf(key)} any more, so nobody can clean up after it: ${name} stays`,
      );
    if (set === undefined) {
      logger.debug('no resource set handles the object');
      return done;
    }
    return name === undefined ? set.reconcile(request) : finalizer(name, set.reconcile)(request);
  };
  return Object.assign(reconcile, {
    resourceSet(object: T): AnyResourceSet<T> {
      const [set] = handling(sets, object);
      if (set === undefined) throw new NoResourceSetError(`no resource set handles ${keyOf(objectKeyOf(object))}`);
      return set;
    },
  });
}
