/** Retention of the PersistentVolumeClaims of StatefulSets. */

import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import { type ApiObject, equal } from '../../apimachinery/object.ts';
import type { View, Write } from '../engine/reconciler.ts';
import type { Pod } from '../pods/pod.ts';
import { claimNamesOf, ordinalOf, ordinalsOf, type StatefulSet } from './stateful-set.ts';

const claims = '/persistentvolumeclaims';

type Owner = NonNullable<ApiObject['metadata']['ownerReferences']>[number];

/** Returns the existing claims of an ordinal. */
const claimsFor = (set: StatefulSet, ordinal: number, view: View): readonly ApiObject[] =>
  claimNamesOf(set, ordinal)
    .map((name) => view.get(claims, `${set.metadata.namespace}/${name}`))
    .filter((claim) => claim !== undefined);

const isOne = (owner: Owner, { apiVersion, kind, metadata }: ApiObject): boolean =>
  owner.apiVersion === apiVersion && owner.kind === kind && owner.name === metadata.name;

/** Returns the owner of a claim by retention policy: the set, the pod being scaled down, or none. */
function ownerOf(set: StatefulSet, pod: Pod): ApiObject | undefined {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const [start, end] = ordinalsOf(set);
  const ordinal = ordinalOf(pod, set);
  const isSurplus = ordinal < start || ordinal >= end;
  if (whenScaled === 'Delete' && isSurplus) return pod;
  return whenDeleted === 'Delete' ? set : undefined;
}

/** Corrects the owner references of a pod's claims; claims controlled by another object are left alone. */
export function claimUpdates(set: StatefulSet, pod: Pod, view: View): readonly Write[] {
  return claimsFor(set, ordinalOf(pod, set), view).flatMap((claim): Write[] => {
    const { ownerReferences: before = [] } = claim.metadata;
    const ours = before.filter((owner) => isOne(owner, set) || isOne(owner, pod));
    const others = before.filter((owner) => !ours.includes(owner));
    const isStale = ours.some(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid);
    if (isStale || others.some(({ controller }) => controller)) return [];
    const owner = ownerOf(set, pod);
    const after = owner === undefined ? others : [...others, { ...ownerReferenceTo(owner), controller: true }];
    if (equal(after, before)) return [];
    return [{ do: 'update', object: { ...claim, metadata: { ...claim.metadata, ownerReferences: after } } }];
  });
}

/** Reports whether a claim of an ordinal is owned by a former pod of the same name; its deletion must finish before a new pod is created. */
export const hasStaleClaim = (set: StatefulSet, ordinal: number, view: View): boolean =>
  claimsFor(set, ordinal, view).some(({ metadata }) =>
    metadata.ownerReferences?.some(({ kind, name }) => kind === 'Pod' && name === `${set.metadata.name}-${ordinal}`),
  );
