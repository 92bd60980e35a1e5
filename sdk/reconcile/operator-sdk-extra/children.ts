/** Reconciler of the children of an object, one kind at a time. */

import { apiVersionOf, type Kind } from '../../api/kind.ts';
import {
  isDeleting,
  isOwnedBy,
  type KubeObject,
  keyOf,
  type ObjectKey,
  objectKeyOf,
  ownerReferenceTo,
} from '../../api/object.ts';
import type { NewObject } from '../../client/client.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import { AlreadyExistsError, StaleError } from '../../errors.ts';
import { preconditionedPatch, uidPrecondition } from '../preconditions.ts';
import { type Correction, done, type Present, type Reconciler, stop } from '../reconciler.ts';
import type { Json } from '../three-way.ts';
import { appliedAnnotation, appliedText, changeOf, type Paths } from './child-change.ts';

/** Options of {@link children}: one kind and the desired objects. */
export interface ChildrenOptions<T extends KubeObject, C extends KubeObject> {
  /** Kind of the children. The controller must own it (`owns`), unless `current` is given. */
  readonly kind: Kind<C>;
  /** Returns all desired children, with only the fields to manage. @default namespace: the parent's */
  wanted(request: Present<T>): readonly NewObject<C>[] | Promise<readonly NewObject<C>[]>;
  /** Returns the existing children. @default the cached objects with an owner reference to the parent */
  current?(request: Present<T>): readonly C[] | Promise<readonly C[]>;
  /** Members that are set at creation and never compared again, such as `['spec', 'replicas']`. @default [] */
  readonly ignore?: Paths;
  /** Update strategy: `merge` patches the members that differ and removes those no longer desired; `apply` is server-side apply. @default 'merge' */
  readonly update?: 'merge' | 'apply';
  /** Reports whether a child is ready, so that the next phase may begin. @default always */
  isReady?(child: C): boolean;
}

/** Plan for the children of one kind. */
export interface ChildrenPlan<C extends KubeObject> {
  readonly create: readonly NewObject<C>[];
  readonly update: readonly { readonly child: C; readonly wanted: NewObject<C>; readonly change: Json }[];
  readonly remove: readonly C[];
}

/** Event reasons by action. */
const eventReasons: Readonly<Record<Correction['action'], string>> = {
  create: 'CreateCompleted',
  update: 'UpdateCompleted',
  delete: 'DeleteCompleted',
};

const nameOf = (kind: Kind, key: ObjectKey): string => `${kind.kind} ${keyOf(key)}`;

/** Compares children by name. Children that are not desired and not being deleted yet are removed. Pure. */
export function childrenPlanOf<C extends KubeObject>(
  current: readonly C[],
  wanted: readonly NewObject<C>[],
  ignore: Paths = [],
): ChildrenPlan<C> {
  const existing = new Map(current.map((child) => [keyOf(objectKeyOf(child)), child]));
  const desired = new Map(wanted.map((child) => [keyOf(child.metadata as ObjectKey), child]));
  const update = [...desired].flatMap(([key, one]) => {
    const child = existing.get(key);
    const change = child === undefined || isDeleting(child) ? undefined : changeOf(child, one, ignore);
    return change === undefined ? [] : [{ child: child!, wanted: one, change }];
  });
  return {
    create: [...desired].filter(([key]) => !existing.has(key)).map(([, one]) => one),
    update,
    remove: current.filter((child) => !isDeleting(child) && !desired.has(keyOf(objectKeyOf(child)))),
  };
}

/** Returns the desired children, each with its namespace. @throws TypeError for a child without a name, or in a namespace other than its owner's */
async function desiredOf<T extends KubeObject, C extends KubeObject>(
  { wanted, kind }: ChildrenOptions<T, C>,
  request: Present<T>,
): Promise<readonly NewObject<C>[]> {
  const { namespace } = request.key;
  return (await wanted(request)).map((child) => {
    const { name, namespace: own = namespace } = child.metadata;
    if (name === undefined) throw new TypeError(`children: a ${kind.kind} that is wanted has no metadata.name`);
    if (kind.namespaced && namespace !== undefined && own !== namespace)
      throw new TypeError(
        `children: ${kind.kind} ${own}/${name} cannot be owned from namespace ${namespace}: owners and children share one`,
      );
    return kind.namespaced ? { ...child, metadata: { ...child.metadata, namespace: own } } : child;
  });
}

/** Returns the existing children that the parent owns: other objects are never changed or removed. */
async function currentOf<T extends KubeObject, C extends KubeObject>(
  { current, kind }: ChildrenOptions<T, C>,
  request: Present<T>,
): Promise<readonly C[]> {
  const { object, stored } = request;
  const found = current === undefined ? stored(kind).by('owner', object.metadata.uid ?? '') : await current(request);
  return found.filter((child) => isOwnedBy(child, object));
}

/** Returns the complete child: desired state, owner reference and the annotation of applied members. */
function childOf<C extends KubeObject>(
  { kind, ignore }: Pick<ChildrenOptions<KubeObject, C>, 'kind' | 'ignore'>,
  owner: KubeObject,
  wanted: NewObject<C>,
): NewObject<C> {
  const metadata = {
    ...wanted.metadata,
    annotations: { ...wanted.metadata.annotations, [appliedAnnotation]: appliedText(wanted, ignore) },
    ownerReferences: [ownerReferenceTo(owner)],
  };
  return { ...wanted, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
}

/**
 * Checks that no object of the same name exists. @throws StaleError for an owned object that the cache lacks, Error for an object of another
 * owner
 */
async function refuseForeign<C extends KubeObject>(
  { client, signal, object }: Present<KubeObject>,
  kind: Kind<C>,
  key: ObjectKey,
): Promise<void> {
  const found = await ignoreNotFound(client.get(kind, key, { signal }));
  if (found === undefined) return;
  const what = nameOf(kind, key);
  if (isOwnedBy(found, object)) throw new StaleError(`${what} was made meanwhile`);
  throw new Error(
    `${what} is there already and is not owned by ${object.kind} ${keyOf(objectKeyOf(object))}: delete it, or choose another name`,
  );
}

async function createChild<C extends KubeObject>(
  options: ChildrenOptions<never, C>,
  request: Present<KubeObject>,
  wanted: NewObject<C>,
): Promise<void> {
  const { client, object, signal } = request;
  const { kind } = options;
  const child = childOf(options, object, wanted);
  const key = wanted.metadata as ObjectKey;
  if (options.update === 'apply') {
    await refuseForeign(request, kind, key);
    await client.patch(kind, key, { type: 'apply', value: child, force: true }, { signal });
    return;
  }
  try {
    await client.create(kind, child, { signal });
  } catch (error) {
    if (error instanceof AlreadyExistsError) await refuseForeign(request, kind, key);
    throw error;
  }
}

async function updateChild<C extends KubeObject>(
  options: ChildrenOptions<never, C>,
  { client, object, signal }: Present<KubeObject>,
  { child, wanted, change: value }: ChildrenPlan<C>['update'][number],
): Promise<void> {
  const key = objectKeyOf(child);
  if (options.update === 'apply') {
    const whole = childOf(options, object, wanted);
    const metadata = { ...whole.metadata, uid: child.metadata.uid };
    await client.patch(options.kind, key, { type: 'apply', value: { ...whole, metadata }, force: true }, { signal });
    return;
  }
  await client.patch(options.kind, key, preconditionedPatch(child, value as object), { signal });
}

/**
 * Reconciles the children of one kind: creates missing ones, updates those that differ, deletes those that are no longer desired.
 *
 * # Guarantees
 * Only objects with an owner reference to the parent are changed or deleted. Other fields, set by the server or other clients, are kept and
 * do not count as a difference; fields that are no longer desired are removed. Nothing is written when nothing differs.
 * Each change is recorded as an event of the parent: CreateCompleted, UpdateCompleted, DeleteCompleted.
 *
 * # Caveats
 * The children of a parent that is being deleted are left to the garbage collector. A value that the server normalizes
 * (`1000m` to `1`) differs in every run: use the normalized form.
 *
 * @throws TypeError for invalid children, Error for one that belongs to another owner, ConflictError or StaleError after a race
 */
export const children =
  <T extends KubeObject, C extends KubeObject>(options: ChildrenOptions<T, C>): Reconciler<T> =>
  async (request) => {
    const { object, client, events, signal, onCorrection } = request;
    if (object === undefined || isDeleting(object)) return done;
    const present = { ...request, object };
    const { kind, ignore, isReady = () => true } = options;
    const current = await currentOf(options, present);
    const desired = await desiredOf(options, present);
    const plan = childrenPlanOf(current, desired, ignore);
    const report = (action: Correction['action'], key: ObjectKey, diff?: Json) => {
      const what = nameOf(kind, key);
      events.event(object, 'Normal', eventReasons[action], what);
      onCorrection?.({ action, what, ...(diff !== undefined && { diff }) });
    };
    for (const child of plan.create) {
      await createChild(options, present, child);
      report('create', child.metadata as ObjectKey);
    }
    for (const update of plan.update) {
      await updateChild(options, present, update);
      report('update', objectKeyOf(update.child), update.change);
    }
    for (const child of plan.remove) {
      await client.delete(kind, objectKeyOf(child), { signal, ...uidPrecondition(child) });
      report('delete', objectKeyOf(child));
    }
    const ready = new Set(
      current.filter((child) => !isDeleting(child) && isReady(child)).map((child) => keyOf(objectKeyOf(child))),
    );
    const isWaiting =
      options.isReady !== undefined && desired.some(({ metadata }) => !ready.has(keyOf(metadata as ObjectKey)));
    return isWaiting ? stop : done;
  };
