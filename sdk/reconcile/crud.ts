import type { KubeObject } from '../api/object.ts';
import { InvalidConfigError } from './config-errors.ts';
import { namedOperations, type Operate, type OperatedReconciler } from './named-operations.ts';
import { isEnding, lastSeen } from './object-event.ts';
import { combined, done, type Present, type Result, stop } from './reconciler.ts';

/** Ends what is left of one resource; see {@link leave}. */
export class Leave {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** Returned by any step of a crud resource: its remaining steps are skipped, and `result` is what it wishes. With `keepFinalizer` the clean-up comes again. */
export const leave = (result: Result): Leave => new Leave(result);

/** operatorkit's resourcecanceled: the remaining steps of this resource are skipped, the next resource runs. */
export const cancelResource: Leave = leave(done);

/** operatorkit's reconciliationcanceled: nothing more of this pass runs, and a finalizer stays. */
export const cancelReconciliation: Leave = leave(stop);

/** What is to be done, in parts; a part that is not set is not applied, one set to null or to something empty is. */
export interface CrudPatch<Create, Update, Delete> {
  readonly create?: Create;
  readonly update?: Update;
  readonly delete?: Delete;
}

/** A part of a patch. */
export type PatchPart = keyof CrudPatch<unknown, unknown, unknown>;

type Maybe<V> = Promise<V | Leave> | V | Leave;

/** What an author says about one resource that has a state to look at and one to bring about. */
export interface CrudOptions<T extends KubeObject, Current, Desired, Create, Update, Delete> {
  readonly name: string;
  getCurrentState(request: Present<T>): Maybe<Current>;
  getDesiredState(request: Present<T>): Maybe<Desired>;
  /** What is to be done about an object that is to be. Nothing returned: nothing. */
  newUpdatePatch(
    current: Current,
    desired: Desired,
    request: Present<T>,
  ): Maybe<CrudPatch<Create, Update, Delete> | undefined>;
  /** Decides about an object that is being deleted, or gone. @default nothing is to be done */
  newDeletePatch?(
    current: Current,
    desired: Desired,
    request: Present<T>,
  ): Maybe<CrudPatch<Create, Update, Delete> | undefined>;
  applyCreateChange?(change: Create, request: Present<T>): Maybe<Result | void>;
  applyUpdateChange?(change: Update, request: Present<T>): Maybe<Result | void>;
  applyDeleteChange?(change: Delete, request: Present<T>): Maybe<Result | void>;
  /** `'createDeleteUpdate'`: as operatorkit's code had it, against its documents. @default 'createUpdateDelete' */
  readonly order?: keyof typeof orders;
  /** Which parts may be applied; what may not is left out, without an error. @default all */
  readonly policy?: PatchPolicy<T>;
}

/** Which parts of a patch may be applied: operatorkit's updateallowed and deletionallowed. */
export type PatchPolicy<T extends KubeObject> = (part: PatchPart, request: Present<T>) => boolean;

/** The parts of a patch, each with its operation and the function that carries it out. */
const create = { part: 'create', operation: 'ApplyCreateChange', apply: 'applyCreateChange' } as const;
const update = { part: 'update', operation: 'ApplyUpdateChange', apply: 'applyUpdateChange' } as const;
const remove = { part: 'delete', operation: 'ApplyDeleteChange', apply: 'applyDeleteChange' } as const;
const orders = {
  createUpdateDelete: [create, update, remove],
  createDeleteUpdate: [create, remove, update],
} as const;

/** What applying needs of a resource, whatever its changes look like. */
type Applier<T extends KubeObject> = Pick<
  CrudOptions<T, unknown, unknown, unknown, unknown, unknown>,
  'name' | 'order' | 'policy' | 'applyCreateChange' | 'applyUpdateChange' | 'applyDeleteChange'
>;

/** Applies the parts that are set and may be, in order, until one leaves. */
async function applied<T extends KubeObject>(
  applier: Applier<T>,
  patch: CrudPatch<unknown, unknown, unknown>,
  { request, operate }: { readonly request: Present<T>; readonly operate: Operate },
): Promise<Result> {
  const { name, order = 'createUpdateDelete', policy = () => true } = applier;
  const results: Result[] = [];
  for (const { part, operation, apply } of orders[order]) {
    const change = patch[part];
    if (change === undefined) continue;
    if (!policy(part, request)) {
      request.logger.debug({ resource: name, part }, 'this part of the patch may not be applied');
      continue;
    }
    if (applier[apply] === undefined)
      throw new TypeError(`crud ${name}: the patch has ${part} set, and there is no ${apply}`);
    const got = (await operate(operation, () => applier[apply]!(change, request))) ?? done;
    const result = got instanceof Leave ? got.result : got;
    results.push(result);
    if (got instanceof Leave || result.stop) break;
  }
  return combined(results);
}

/**
 * One resource with a state to look at and one to bring about: look, decide, then apply the parts of the patch that are set.
 *
 * # Expected flow
 * getCurrentState, getDesiredState, newUpdatePatch (newDeletePatch while the object is being deleted, and with its last known state when it is gone), then applyCreateChange, applyUpdateChange and
 * applyDeleteChange for what is set, in this order unless `order` says otherwise. An object that is gone and of which no last state is known calls nothing.
 *
 * # Guarantees
 * Any step may return {@link leave}: nothing more of this resource runs. What that says holds for this resource in this run only. An error ends the resource.
 * Each step is an operation of its own: `withRetry` repeats it alone, `withMetrics` counts it alone.
 *
 * @throws InvalidConfigError for an empty name and an order that does not exist; at run time TypeError for a part that is set and cannot be applied
 */
export function crud<T extends KubeObject, Current, Desired, Create, Update = never, Delete = never>(
  options: CrudOptions<T, Current, Desired, Create, Update, Delete>,
): OperatedReconciler<T> {
  const { name, order = 'createUpdateDelete' } = options;
  if (name === '') throw new InvalidConfigError('crud: name is empty');
  if (!Object.hasOwn(orders, order))
    throw new InvalidConfigError(
      `crud ${name}: order must be one of ${Object.keys(orders).join(', ')}, found ${order}`,
    );
  return namedOperations<T>(name, async (request, operate) => {
    const present = lastSeen(request);
    if (present === undefined) return done;
    const current = await operate('GetCurrentState', () => options.getCurrentState(present));
    if (current instanceof Leave) return current.result;
    const desired = await operate('GetDesiredState', () => options.getDesiredState(present));
    if (desired instanceof Leave) return desired.result;
    const patch = await (isEnding(present)
      ? operate('NewDeletePatch', () => options.newDeletePatch?.(current, desired, present))
      : operate('NewUpdatePatch', () => options.newUpdatePatch(current, desired, present)));
    if (patch instanceof Leave) return patch.result;
    if (patch === undefined || patch === null) return done;
    return applied<T>(options, patch, { request: present, operate });
  });
}
