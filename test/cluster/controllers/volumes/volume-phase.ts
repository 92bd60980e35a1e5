/** Phases and reclaim policy of PersistentVolumes, as in kube-controller-manager's PV controller. */

import type { Decision, Reconciler, View } from '../engine/reconciler.ts';
import { rest } from '../engine/reconciler.ts';
import { statusWrites } from '../engine/status-write.ts';
import { type Claim, claims, type Volume, volumes } from './volume.ts';

const phase = (volume: Volume, name: string): Decision => ({
  writes: statusWrites(volume, { ...volume.status, phase: name }),
});

function decide(volume: Volume, view: View): Decision {
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec;
  if (claimRef?.uid === undefined) return phase(volume, 'Available');
  const claim = view.get<Claim>(claims, `${claimRef.namespace}/${claimRef.name}`);
  if (claim?.metadata.uid === claimRef.uid) return phase(volume, 'Bound');
  if (volume.status?.phase !== 'Released') return phase(volume, 'Released');
  const isKept = persistentVolumeReclaimPolicy !== 'Delete' || volume.metadata.deletionTimestamp !== undefined;
  return isKept ? rest : { writes: [{ do: 'delete', object: volume }] };
}

/** Sets the phase of volumes, also of those being deleted, and deletes released ones with reclaim policy Delete. */
export const volumePhaseReconciler: Reconciler = {
  collection: volumes,
  component: 'persistentvolume-controller',
  concerns({ collection, key, type }, view) {
    if (collection !== claims || type !== 'DELETED') return [];
    const left = view
      .list<Volume>(volumes)
      .filter(({ spec }) => `${spec.claimRef?.namespace}/${spec.claimRef?.name}` === key);
    return left.map(({ metadata }) => metadata.name);
  },
  decide: (object, view) => decide(object as Volume, view),
};
