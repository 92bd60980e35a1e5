/** Crud resources: read the current state, compute a patch, apply it (operatorkit's CRUD). */

import type { KubeObject } from '../../api/object.ts';
import { isDeletingOrGone, withLastKnownObject } from '../object-event.ts';
import { combined, done, type Present, type Result, stop } from '../reconciler.ts';
import { checkConfig, InvalidConfigError } from './config-errors.ts';
import { namedOperations, type Operate, type OperatedReconciler } from './named-operations.ts';

/** Ends the remaining steps of one resource; see {@link leave}. */
export class Leave {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/**
 * Ends a crud resource with `result`, when returned by any of its steps: the remaining steps are skipped. With `keepFinalizer` the clean-up is
 * repeated.
 */
export const leave = (result: Result): Leave => new Leave(result);

/** Skips the remaining steps of this resource; the next resource runs (operatorkit's resourcecanceled). */
export const cancelResource: Leave = leave(done);

/** Ends the pass and keeps a finalizer (operatorkit's reconciliationcanceled). */
export const cancelReconciliation: Leave = leave(stop);

/** Changes by part; an undefined part is not applied, one that is null or empty is. */
export interface CrudPatch<Create, Update, Delete> {
  readonly create?: Create;
  readonly update?: Update;
  readonly delete?: Delete;
}

/** Part of a patch. */
export type PatchPart = keyof CrudPatch<unknown, unknown, unknown>;

type Maybe<V> = Promise<V | Leave> | V | Leave;

/** Options of {@link crud}: the current state, the desired state, and how to apply the difference. */
export interface CrudOptions<T extends KubeObject, Current, Desired, Create, Update, Delete> {
  readonly name: string;
  getCurrentState(request: Present<T>): Maybe<Current>;
  getDesiredState(request: Present<T>): Maybe<Desired>;
  /** Computes the patch for an object that is not being deleted. Nothing returned: no change. */
  newUpdatePatch(
    current: Current,
    desired: Desired,
    request: Present<T>,
  ): Maybe<CrudPatch<Create, Update, Delete> | undefined>;
  /** Computes the patch for an object that is being deleted, or gone. @default no change */
  newDeletePatch?(
    current: Current,
    desired: Desired,
    request: Present<T>,
  ): Maybe<CrudPatch<Create, Update, Delete> | undefined>;
  applyCreateChange?(change: Create, request: Present<T>): Maybe<Result | void>;
  applyUpdateChange?(change: Update, request: Present<T>): Maybe<Result | void>;
  applyDeleteChange?(change: Delete, request: Present<T>): Maybe<Result | void>;
  /** Order of the parts; `'createDeleteUpdate'` is that of operatorkit's code, unlike its documentation. @default 'createUpdateDelete' */
  readonly order?: keyof typeof orders;
  /** Filters the parts to apply; the others are skipped without an error. @default all */
  readonly policy?: PatchPolicy<T>;
}

/** Reports whether a part of a patch may be applied: operatorkit's updateallowed and deletionallowed. */
export type PatchPolicy<T extends KubeObject> = (part: PatchPart, request: Present<T>) => boolean;

/** Parts of a patch, each with its operation and the function that applies it. */
const create = { part: 'create', operation: 'ApplyCreateChange', apply: 'applyCreateChange' } as const;
const update = { part: 'update', operation: 'ApplyUpdateChange', apply: 'applyUpdateChange' } as const;
const remove = { part: 'delete', operation: 'ApplyDeleteChange', apply: 'applyDeleteChange' } as const;
const orders = {
  createUpdateDelete: [create, update, remove],
  createDeleteUpdate: [create, remove, update],
} as const;

/** Options of a resource that applying a patch needs, for any type of change. */
type Applier<T extends KubeObject> = Pick<
  CrudOptions<T, unknown, unknown, unknown, unknown, unknown>,
  'name' | 'order' | 'policy' | 'applyCreateChange' | 'applyUpdateChange' | 'applyDeleteChange'
>;

/** Applies the parts that are set and allowed, in order, until one leaves. */
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
 * Creates a resource that reads the current and the desired state, computes a patch, and applies the parts that are set.
 *
 * # Expected flow
 * getCurrentState, getDesiredState, newUpdatePatch (newDeletePatch while the object is being deleted, and with its last known state when it is
 * gone), then applyCreateChange, applyUpdateChange and
 * applyDeleteChange for the parts that are set, in this order unless `order` says otherwise. Nothing is called for an object that is gone without a
 * known last state.
 *
 * # Guarantees
 * Any step may return {@link leave}, which ends this resource, in this run only. An error ends the resource.
 * Each step is an operation of its own: `withRetry` retries it alone, `withMetrics` counts it alone.
 *
 * @throws InvalidConfigError for an empty name, a missing function or an unknown order; at run time TypeError for a part that is set without a function to apply it
 */
export function crud<T extends KubeObject, Current, Desired, Create, Update = never, Delete = never>(
  options: CrudOptions<T, Current, Desired, Create, Update, Delete>,
): OperatedReconciler<T> {
  checkConfig('crud', options, ['getCurrentState', 'getDesiredState', 'newUpdatePatch']);
  const { name, order = 'createUpdateDelete' } = options;
  if (!Object.hasOwn(orders, order))
    throw new InvalidConfigError(
      `crud ${name}: order must be one of ${Object.keys(orders).join(', ')}, found ${order}`,
    );
  return namedOperations<T>(name, async (request, operate) => {
    const present = withLastKnownObject(request);
    if (present === undefined) return done;
    const current = await operate('GetCurrentState', () => options.getCurrentState(present));
    if (current instanceof Leave) return current.result;
    const desired = await operate('GetDesiredState', () => options.getDesiredState(present));
    if (desired instanceof Leave) return desired.result;
    const patch = await (isDeletingOrGone(present)
      ? operate('NewDeletePatch', () => options.newDeletePatch?.(current, desired, present))
      : operate('NewUpdatePatch', () => options.newUpdatePatch(current, desired, present)));
    if (patch instanceof Leave) return patch.result;
    if (patch === undefined || patch === null) return done;
    return applied<T>(options, patch, { request: present, operate });
  });
}
