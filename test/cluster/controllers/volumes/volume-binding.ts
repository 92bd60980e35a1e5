/** Controller that binds PersistentVolumeClaims to volumes. */

import type { Fields } from '../../apimachinery/object.ts';
import { type Decision, type EventReport, type Reconciler, rest, type View, type Write } from '../engine/reconciler.ts';
import { statusWrites } from '../engine/status-write.ts';
import { type Pod, pods } from '../pods/pod.ts';
import {
  type Claim,
  claimReference,
  claims,
  classNamed,
  defaultClass,
  type StorageClass,
  type Volume,
  volumeFor,
  volumes,
} from './volume.ts';

const boundByController = 'pv.kubernetes.io/bound-by-controller';
const bindCompleted = 'pv.kubernetes.io/bind-completed';

const report = (about: Claim, event: Omit<EventReport, 'about'>): Decision => ({
  writes: [{ do: 'event', event: { about, ...event } }],
});

const pending = (claim: Claim): boolean => (claim.status?.phase ?? 'Pending') === 'Pending';

/** Returns the scheduled pods that use a claim. */
const consumers = ({ metadata }: Claim, view: View): readonly Pod[] =>
  view
    .list<Pod>(pods, metadata.namespace)
    .filter(
      ({ spec }) =>
        Boolean(spec.nodeName) &&
        spec.volumes?.some(
          ({ persistentVolumeClaim }) => (persistentVolumeClaim as Fields)?.claimName === metadata.name,
        ),
    );

function provisionVolume(claim: Claim, { provisioner, reclaimPolicy = 'Delete', metadata }: StorageClass): Write {
  const name = `pvc-${claim.metadata.uid}`;
  const { accessModes, resources, volumeMode = 'Filesystem' } = claim.spec;
  return {
    do: 'create',
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
      spec: {
        accessModes,
        capacity: { storage: resources?.requests?.storage },
        claimRef: claimReference(claim),
        hostPath: { path: `/in-memory/${name}`, type: '' },
        persistentVolumeReclaimPolicy: reclaimPolicy,
        storageClassName: metadata.name,
        volumeMode,
      },
    },
    report: () => ({
      about: claim,
      type: 'Normal',
      reason: 'ProvisioningSucceeded',
      message: `Successfully provisioned volume ${name}`,
    }),
  };
}

/** Provisions a volume for a claim, waits for a consumer, or records why neither is possible. */
function provide(claim: Claim, view: View): Decision {
  const name = claim.spec.storageClassName ?? '';
  if (name === '') {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    return report(claim, { type: 'Normal', reason: 'FailedBinding', message });
  }
  const storageClass = classNamed(name, view);
  if (storageClass === undefined) {
    const message = `storageclass.storage.k8s.io "${name}" not found`;
    return report(claim, { type: 'Warning', reason: 'ProvisioningFailed', message });
  }
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && consumers(claim, view).length === 0) {
    const message = 'waiting for first consumer to be created before binding';
    return report(claim, { type: 'Normal', reason: 'WaitForFirstConsumer', message });
  }
  if (storageClass.provisioner === 'kubernetes.io/no-provisioner') {
    return report(claim, {
      type: 'Normal',
      reason: 'FailedBinding',
      message: 'no persistent volumes available for this claim',
    });
  }
  return { writes: [provisionVolume(claim, storageClass)] };
}

function bindVolumeWrites(volume: Volume, claim: Claim): readonly Write[] {
  if (volume.spec.claimRef?.uid === claim.metadata.uid) return [];
  const metadata = { ...volume.metadata, annotations: { ...volume.metadata.annotations, [boundByController]: 'yes' } };
  return [{ do: 'update', object: { ...volume, metadata, spec: { ...volume.spec, claimRef: claimReference(claim) } } }];
}

function bindClaimWrites(claim: Claim, volume: Volume): readonly Write[] {
  const { spec, metadata, status } = claim;
  if (spec.volumeName !== volume.metadata.name || metadata.annotations?.[bindCompleted] === undefined) {
    const own: Record<string, string> = spec.volumeName ? {} : { [boundByController]: 'yes' };
    const annotations = { ...metadata.annotations, ...own, [bindCompleted]: 'yes' };
    const object = {
      ...claim,
      metadata: { ...metadata, annotations },
      spec: { ...spec, volumeName: volume.metadata.name },
    };
    return [{ do: 'update', object }];
  }
  const { accessModes, capacity, volumeAttributesClassName: currentVolumeAttributesClassName } = volume.spec;
  const isNews = status?.phase !== 'Bound' && currentVolumeAttributesClassName !== undefined;
  const attributes = isNews ? { currentVolumeAttributesClassName } : {};
  return statusWrites(claim, { ...status, phase: 'Bound', accessModes, capacity, ...attributes });
}

/** Reserves a volume for a claim, then binds the claim to it. */
function bind(claim: Claim, volume: Volume): Decision {
  const writes = bindVolumeWrites(volume, claim);
  return { writes: writes.length > 0 ? writes : bindClaimWrites(claim, volume) };
}

/** Decides about a claim that names its volume: a bound claim whose volume is gone is lost. */
function bindNamed(claim: Claim, name: string, view: View): Decision {
  const volume = view.get<Volume>(volumes, name);
  if (volume !== undefined) return bind(claim, volume);
  return { writes: pending(claim) ? [] : statusWrites(claim, { ...claim.status, phase: 'Lost' }) };
}

function decide(claim: Claim, view: View): Decision {
  if (claim.metadata.deletionTimestamp !== undefined) return rest;
  if (claim.spec.volumeName) return bindNamed(claim, claim.spec.volumeName, view);
  const volume = volumeFor(claim, view);
  if (volume !== undefined) return bind(claim, volume);
  const chosen = claim.spec.storageClassName === undefined ? defaultClass(view) : undefined;
  if (chosen !== undefined) {
    const object = { ...claim, spec: { ...claim.spec, storageClassName: chosen.metadata.name } };
    return { writes: [{ do: 'update', object }] };
  }
  return view.refusal === undefined ? provide(claim, view) : rest;
}

/** Binds claims to matching or newly provisioned volumes. */
export const volumeBindingReconciler: Reconciler = {
  collection: claims,
  component: 'persistentvolume-controller',
  concerns({ collection, object, type }, view) {
    if (collection === pods) {
      const used = ((object as Pod).spec.volumes ?? []).map(
        ({ persistentVolumeClaim }) => persistentVolumeClaim as Fields,
      );
      const { namespace } = object.metadata;
      return used.filter(Boolean).map(({ claimName }) => `${namespace}/${claimName}`);
    }
    const isOffer = collection === volumes && type !== 'DELETED';
    if (!isOffer && collection !== 'storage.k8s.io/storageclasses') return [];
    const waiting = view.list<Claim>(claims).filter(pending);
    return waiting.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  },
  decide: (object, view) => decide(object as Claim, view),
};
