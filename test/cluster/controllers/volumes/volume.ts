/** Volumes, claims and storage classes, and the choice of a volume. */

import { parseQuantity } from '../../apimachinery/formats/quantity.ts';
import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import type { View } from '../engine/reconciler.ts';

/** PersistentVolumeClaim object. */
export interface Claim extends ApiObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: { readonly storage?: string } };
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly volumeName?: string;
    readonly selector?: unknown;
  };
  readonly status?: { readonly phase?: string; readonly [field: string]: unknown };
}

/** PersistentVolume object. */
export interface Volume extends ApiObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly capacity?: { readonly storage?: string };
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly [field: string]: unknown;
  };
  readonly status?: { readonly phase?: string; readonly [field: string]: unknown };
}

/** StorageClass object. */
export interface StorageClass extends ApiObject {
  readonly provisioner: string;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
}

/** Collection of claims. */
export const claims = '/persistentvolumeclaims';
/** Collection of volumes. */
export const volumes = '/persistentvolumes';
const classes = 'storage.k8s.io/storageclasses';

/** Returns the StorageClass of a name. */
export const classNamed = (name: string, view: View): StorageClass | undefined => view.get<StorageClass>(classes, name);

const isDefault = ({ metadata: { annotations = {} } }: StorageClass): boolean =>
  ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io'].some(
    (domain) => annotations[`${domain}/is-default-class`] === 'true',
  );

/** Returns the newest default StorageClass; of several, the first by name. */
export const defaultClass = (view: View): StorageClass | undefined =>
  view
    .list<StorageClass>(classes)
    .filter(isDefault)
    .toSorted((a, b) => (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''))[0];

const bytes = (amount: string | undefined): bigint => parseQuantity(amount ?? '0')?.nano ?? 0n;

const sizeOf = ({ spec }: Volume): bigint => bytes(spec.capacity?.storage);

/** Reports whether a volume's claimRef names a claim. */
const isMeantFor = ({ spec }: Volume, { metadata }: Claim): boolean =>
  spec.claimRef?.name === metadata.name &&
  spec.claimRef.namespace === metadata.namespace &&
  (spec.claimRef.uid === undefined || spec.claimRef.uid === metadata.uid);

const classOf = ({ spec }: Volume | Claim): string => spec.storageClassName ?? '';
const modeOf = ({ spec }: Volume | Claim): string => spec.volumeMode ?? 'Filesystem';

/** Reports whether a volume meets the requirements of a claim. */
export const suits = (volume: Volume, claim: Claim): boolean =>
  classOf(volume) === classOf(claim) && modeOf(volume) === modeOf(claim) && hasRequested(volume, claim);

/** Reports whether a volume has the access modes, size and labels that a claim requests. */
const hasRequested = (volume: Volume, { spec }: Claim): boolean =>
  (spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode)) &&
  sizeOf(volume) >= bytes(spec.resources?.requests?.storage) &&
  (spec.selector === undefined || selectsLabels(spec.selector, volume.metadata.labels));

/** Returns the volume reserved for a claim, else the smallest free one that meets it. */
export function volumeFor(claim: Claim, view: View): Volume | undefined {
  const all = view.list<Volume>(volumes);
  const meant = all.find((volume) => isMeantFor(volume, claim));
  if (meant !== undefined) return meant;
  return all
    .filter((volume) => volume.spec.claimRef === undefined && volume.metadata.deletionTimestamp === undefined)
    .filter((volume) => suits(volume, claim))
    .reduce<Volume | undefined>((least, one) => (least && sizeOf(least) <= sizeOf(one) ? least : one), undefined);
}

/** Returns the claimRef of a claim. */
export const claimReference = ({ apiVersion, kind, metadata }: Claim): Fields => ({
  kind,
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
  apiVersion,
  resourceVersion: metadata.resourceVersion,
});
