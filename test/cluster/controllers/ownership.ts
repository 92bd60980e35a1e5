/** Owner references of workloads: adoption, release and lookup. */

import { keyOf, type OwnerReference, ownerReferenceTo } from '../../../sdk/api/object.ts';
import type { ApiObject, Fields } from '../apimachinery/object.ts';
import { selectsLabels } from '../apimachinery/selectors/match-label-selector.ts';
import type { Change } from '../storage/store.ts';
import type { View, Write } from './engine/reconciler.ts';

/** Returns the controlling owner reference of an object, or undefined. */
export const controllerOf = ({ metadata }: ApiObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** Reports whether `owner` controls `object`. */
export const isControlledBy = (object: ApiObject, owner: ApiObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/** Workload with a selector. */
export interface Selecting extends ApiObject {
  readonly spec: { readonly selector?: unknown };
}

/** Reports whether a workload's selector, which must be set, selects an object. */
const isSelected = ({ spec }: Selecting, { metadata }: ApiObject): boolean =>
  spec.selector !== undefined && selectsLabels(spec.selector, metadata.labels);

/** Result of {@link claim}. */
export interface Claim<T extends ApiObject> {
  /** Objects that the owner controls and still selects. */
  readonly owned: readonly T[];
  /** Adoptions and releases, which must succeed before any other decision. */
  readonly writes: readonly Write[];
}

const withMetadata = (object: ApiObject, metadata: object): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

const adoptWrite = (object: ApiObject, owner: ApiObject): ApiObject =>
  withMetadata(object, { ownerReferences: [...(object.metadata.ownerReferences ?? []), ownerReferenceTo(owner)] });

const releaseWrite = (object: ApiObject, owner: ApiObject): ApiObject =>
  withMetadata(object, {
    ownerReferences: (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid),
  });

/** Adopts selected objects without a controller, and releases controlled objects that are no longer selected. */
export function claim<T extends ApiObject>(owner: Selecting, candidates: readonly T[]): Claim<T> {
  const isLeaving = owner.metadata.deletionTimestamp !== undefined;
  const owned: T[] = [];
  const writes: Write[] = [];
  for (const object of candidates) {
    const controller = controllerOf(object);
    const selected = isSelected(owner, object);
    if (controller?.uid === owner.metadata.uid) {
      if (selected) owned.push(object);
      else if (!isLeaving) writes.push({ do: 'update', object: releaseWrite(object, owner) });
    } else if (controller === undefined && selected && !isLeaving && object.metadata.deletionTimestamp === undefined) {
      writes.push({ do: 'update', object: adoptWrite(object, owner) });
    }
  }
  return { owned, writes };
}

/** Kind of owner to look up. */
interface OwnerKind {
  readonly kind: string;
  readonly collection: string;
  /** Returns the owner with a label selector, for kinds with another form of it. @default the owner itself */
  readonly asSelecting?: (owner: ApiObject) => Selecting;
}

/**
 * Returns the keys of the owners that a change of a dependent concerns: its former and current controller, or, without
 * a controller, those that select it.
 */
export function ownersConcerned(owner: OwnerKind, { object, previous }: Change, view: View): string[] {
  const { kind, collection, asSelecting = (it) => it as Selecting } = owner;
  const { namespace } = object.metadata;
  const controllers = [controllerOf(object), previous && controllerOf(previous)];
  const keys = controllers
    .filter((controller) => controller?.kind === kind)
    .map((controller) => keyOf({ namespace, name: controller!.name }));
  if (controllers[0] !== undefined) return keys;
  const selecting = view.list(collection, namespace).filter((one) => isSelected(asSelecting(one), object));
  return [...keys, ...selecting.map(({ metadata }) => keyOf(metadata))];
}

/** Reports whether `labels` contain all labels of `wanted`. */
export const hasLabels = (wanted: Fields | undefined, labels: Fields | undefined): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => labels?.[name] === value);
