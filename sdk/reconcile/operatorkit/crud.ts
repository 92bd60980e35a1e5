/** Crud resources: read the current state, compute a patch, apply it (operatorkit's CRUD). */

import type { KubeObject } from '../../api/object.ts';
import { isDeletingOrGone, withLastKnownObject } from '../object-event.ts';
import { combineResults, done, type Present, type Result, stop } from '../reconciler.ts';
import { checkConfig, InvalidConfigError } from './config-errors.ts';
import { namedOperations, type OperationReconciler, type RunOperation } from './operations.ts';

/** Cancellation of the remaining steps of one resource; see {@link cancelWith}. */
export class Cancellation {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/**
 * Returned by a step of a crud resource: the remaining steps are skipped, and `result` is the result of the resource.
 * With `keepFinalizer` the clean-up is repeated.
 */
export const cancelWith = (result: Result): Cancellation => new Cancellation(result);

/** Skips the remaining steps of this resource; the next resource runs (operatorkit's resourcecanceled). */
export const cancelResource: Cancellation = cancelWith(done);

/** Ends the pass and keeps a finalizer (operatorkit's reconciliationcanceled). */
export const cancelReconciliation: Cancellation = cancelWith(stop);

/** Changes by part. An undefined part is not applied; null and empty values are. */
export interface CrudPatch<Create, Update, Delete> {
  readonly create?: Create;
  readonly update?: Update;
  readonly delete?: Delete;
}

/** Part of a patch. */
export type PatchPart = keyof CrudPatch<unknown, unknown, unknown>;

type OrCancelled<V> = Promise<V | Cancellation> | V | Cancellation;

/** Options of {@link crud}: the current state, the desired state, and how to apply the difference. */
export interface CrudOptions<T extends KubeObject, Current, Desired, Create, Update, Delete> {
  readonly name: string;
  getCurrentState(request: Present<T>): OrCancelled<Current>;
  getDesiredState(request: Present<T>): OrCancelled<Desired>;
  /** Computes the patch for an object that is not being deleted; undefined means no change. */
  newUpdatePatch(
    current: Current,
    desired: Desired,
    request: Present<T>,
  ): OrCancelled<CrudPatch<Create, Update, Delete> | undefined>;
  /** Computes the patch for an object that is being deleted, or was deleted. @default no change */
  newDeletePatch?(
    current: Current,
    desired: Desired,
    request: Present<T>,
  ): OrCancelled<CrudPatch<Create, Update, Delete> | undefined>;
  applyCreateChange?(change: Create, request: Present<T>): OrCancelled<Result | void>;
  applyUpdateChange?(change: Update, request: Present<T>): OrCancelled<Result | void>;
  applyDeleteChange?(change: Delete, request: Present<T>): OrCancelled<Result | void>;
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

/** Options that apply a patch, for any type of change. */
type PatchAppliers<T extends KubeObject> = Pick<
  CrudOptions<T, unknown, unknown, unknown, unknown, unknown>,
  'name' | 'order' | 'policy' | 'applyCreateChange' | 'applyUpdateChange' | 'applyDeleteChange'
>;

/** Applies the parts that are set and allowed, in order, until one cancels. */
async function applyPatch<T extends KubeObject>(
  appliers: PatchAppliers<T>,
  patch: CrudPatch<unknown, unknown, unknown>,
  { request, runOperation }: { readonly request: Present<T>; readonly runOperation: RunOperation },
): Promise<Result> {
  const { name, order = 'createUpdateDelete', policy = () => true } = appliers;
  const results: Result[] = [];
  for (const { part, operation, apply } of orders[order]) {
    const change = patch[part];
    if (change === undefined) continue;
    if (!policy(part, request)) {
      request.logger.debug({ resource: name, part }, 'the policy does not allow this part of the patch');
      continue;
    }
    if (appliers[apply] === undefined)
      throw new TypeError(`crud ${name}: the patch has ${part} set, and there is no ${apply}`);
    const got = (await runOperation(operation, () => appliers[apply]!(change, request))) ?? done;
    const result = got instanceof Cancellation ? got.result : got;
    results.push(result);
    if (got instanceof Cancellation || result.stop) break;
  }
  return combineResults(results);
}

/**
 * Creates a resource that reads the current and the desired state, computes a patch, and applies the parts that are set.
 *
 * # Expected flow
 * getCurrentState, getDesiredState, newUpdatePatch (newDeletePatch for an object that is being deleted, or for the last known state of a deleted
 * one), then applyCreateChange, applyUpdateChange and applyDeleteChange for the parts that are set, in this order unless `order` says
 * otherwise. Nothing is called for a deleted object whose last state is unknown.
 *
 * # Guarantees
 * Any step may return {@link cancelWith}, which ends this resource in this run. An error ends it, too.
 * Each step is a separate operation: `withRetry` retries and `withMetrics` counts it separately.
 *
 * @throws InvalidConfigError for an empty name, a missing function or an unknown order; at run time TypeError for a part that is set without a function to apply it
 */
export function crud<T extends KubeObject, Current, Desired, Create, Update = never, Delete = never>(
  options: CrudOptions<T, Current, Desired, Create, Update, Delete>,
): OperationReconciler<T> {
  checkConfig('crud', options, ['getCurrentState', 'getDesiredState', 'newUpdatePatch']);
  const { name, order = 'createUpdateDelete' } = options;
  if (!Object.hasOwn(orders, order))
    throw new InvalidConfigError(
      `crud ${name}: order must be one of ${Object.keys(orders).join(', ')}, found ${order}`,
    );
  return namedOperations<T>(name, async (request, runOperation) => {
    const present = withLastKnownObject(request);
    if (present === undefined) return done;
    const current = await runOperation('GetCurrentState', () => options.getCurrentState(present));
    if (current instanceof Cancellation) return current.result;
    const desired = await runOperation('GetDesiredState', () => options.getDesiredState(present));
    if (desired instanceof Cancellation) return desired.result;
    const patch = await (isDeletingOrGone(present)
      ? runOperation('NewDeletePatch', () => options.newDeletePatch?.(current, desired, present))
      : runOperation('NewUpdatePatch', () => options.newUpdatePatch(current, desired, present)));
    if (patch instanceof Cancellation) return patch.result;
    if (patch === undefined || patch === null) return done;
    return applyPatch<T>(options, patch, { request: present, runOperation });
  });
}
