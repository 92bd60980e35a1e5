import { keyOf, type OwnerReference, ownerReferenceTo } from '../../../sdk/api/object.ts';
import type { ApiObject, Fields } from '../objects/object.ts';
import { selectsLabels } from '../selectors/label-selector.ts';
import type { Change } from '../store.ts';
import type { View, Write } from './reconciler.ts';

/** The owner that controls an object, or undefined. */
export const controllerOf = ({ metadata }: ApiObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** Whether `owner` controls `object`. */
export const isControlledBy = (object: ApiObject, owner: ApiObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/** A workload with a selector. */
export interface Selecting extends ApiObject {
  readonly spec: { readonly selector?: unknown };
}

/** Whether a selector that must not be empty selects an object. */
const isSelected = ({ spec }: Selecting, { metadata }: ApiObject): boolean =>
  spec.selector !== undefined && selectsLabels(spec.selector, metadata.labels);

/** What an owner makes of the objects around it. */
export interface Claim<T extends ApiObject> {
  /** Those that are its own, and stay so. */
  readonly owned: readonly T[];
  /** Adoptions and releases; nothing else can be decided before they are carried out. */
  readonly writes: readonly Write[];
}

const withMetadata = (object: ApiObject, metadata: object): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

const adopted = (object: ApiObject, owner: ApiObject): ApiObject =>
  withMetadata(object, { ownerReferences: [...(object.metadata.ownerReferences ?? []), ownerReferenceTo(owner)] });

const released = (object: ApiObject, owner: ApiObject): ApiObject =>
  withMetadata(object, {
    ownerReferences: (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid),
  });

/** Which objects an owner has: what it selects and nobody controls is adopted, what it does not select any more let go. */
export function claim<T extends ApiObject>(owner: Selecting, candidates: readonly T[]): Claim<T> {
  const isLeaving = owner.metadata.deletionTimestamp !== undefined;
  const owned: T[] = [];
  const writes: Write[] = [];
  for (const object of candidates) {
    const controller = controllerOf(object);
    const selected = isSelected(owner, object);
    if (controller?.uid === owner.metadata.uid) {
      if (selected) owned.push(object);
      else if (!isLeaving) writes.push({ do: 'update', object: released(object, owner) });
    } else if (controller === undefined && selected && !isLeaving && object.metadata.deletionTimestamp === undefined) {
      writes.push({ do: 'update', object: adopted(object, owner) });
    }
  }
  return { owned, writes };
}

/** Which kind of owner is asked about. */
interface OwnerKind {
  readonly kind: string;
  readonly collection: string;
  /** The owner with a label selector, where it has something else. @default as it is */
  readonly asSelecting?: (owner: ApiObject) => Selecting;
}

/** The keys of the owners of one kind that a change of a dependent concerns: who controls it or did, or, when nobody does, who selects it. */
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

/** Whether two label maps say the same for all labels of the first. */
export const hasLabels = (wanted: Fields | undefined, labels: Fields | undefined): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => labels?.[name] === value);
