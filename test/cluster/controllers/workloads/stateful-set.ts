/** StatefulSets: types, ordinals, pods and claims. */

import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import type { NewObject } from '../engine/reconciler.ts';
import { controllerOf } from '../ownership.ts';
import { type PodTemplate, podFrom } from '../pods/from-template.ts';
import type { Pod } from '../pods/pod.ts';
import { podRevisionLabel, type RevisionedWorkload } from '../revisions.ts';

/** StatefulSet object. */
export interface StatefulSet extends RevisionedWorkload {
  readonly spec: RevisionedWorkload['spec'] & {
    readonly replicas: number;
    readonly serviceName?: string;
    readonly podManagementPolicy?: string;
    readonly minReadySeconds?: number;
    readonly ordinals?: { readonly start?: number };
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
    readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
    readonly volumeClaimTemplates?: readonly ClaimTemplate[];
  };
  readonly status?: StatefulSetStatus;
}

/** Status of a StatefulSet. */
export interface StatefulSetStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
}

interface ClaimTemplate {
  readonly metadata: { readonly name: string; readonly labels?: Fields; readonly annotations?: Fields };
  readonly spec: Fields;
}

/** Collection of StatefulSets. */
export const statefulSets = 'apps/statefulsets';

/** Returns the ordinal in a pod's name; -1 without one. */
export function ordinalOf({ metadata }: Pod, { metadata: { name } }: StatefulSet): number {
  const rest = metadata.name.startsWith(`${name}-`) ? metadata.name.slice(name.length + 1) : '';
  return /^\d+$/.test(rest) ? Number(rest) : -1;
}

/** Returns the first ordinal, and the one after the last. */
export function ordinalsOf({ spec }: StatefulSet): readonly [number, number] {
  const start = spec.ordinals?.start ?? 0;
  return [start, start + spec.replicas];
}

/** Reports whether a pod belongs to a StatefulSet, by owner or by name. */
export const isMember = (pod: Pod, set: StatefulSet): boolean =>
  controllerOf(pod)?.uid === set.metadata.uid || ordinalOf(pod, set) >= 0;

/** Returns the revision of a pod. */
export const revisionOfPod = ({ metadata }: ApiObject): string => metadata.labels?.[podRevisionLabel] ?? '';

const claimNameOf = (claim: ClaimTemplate, podName: string): string => `${claim.metadata.name}-${podName}`;

/** Returns the names of the claims of an ordinal. */
export const claimNamesOf = ({ spec, metadata }: StatefulSet, ordinal: number): readonly string[] =>
  (spec.volumeClaimTemplates ?? []).map((claim) => claimNameOf(claim, `${metadata.name}-${ordinal}`));

/** Returns the pod of an ordinal at a revision, with its volumes. */
export function memberOf(
  set: StatefulSet,
  { ordinal, template, revision }: { ordinal: number; template: PodTemplate; revision: string },
): NewObject {
  const name = `${set.metadata.name}-${ordinal}`;
  const { generateName: _generated, labels, ...metadata } = podFrom(set, template).metadata;
  const claims = set.spec.volumeClaimTemplates ?? [];
  const own = new Set(claims.map((claim) => claim.metadata.name));
  const volumes = ((template.spec.volumes as Fields[] | undefined) ?? []).filter(
    (volume) => !own.has(String(volume.name)),
  );
  const claimed = claims.map((claim) => ({
    name: claim.metadata.name,
    persistentVolumeClaim: { claimName: claimNameOf(claim, name) },
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      name,
      generateName: `${set.metadata.name}-`,
      labels: {
        ...(labels as Fields | undefined),
        [podRevisionLabel]: revision,
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
      },
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(set.spec.serviceName && { subdomain: set.spec.serviceName }),
      ...(volumes.length + claimed.length > 0 && { volumes: [...claimed, ...volumes] }),
    },
  };
}

/** Returns the claims of an ordinal. */
export function claimsOf(set: StatefulSet, ordinal: number): readonly NewObject[] {
  const podName = `${set.metadata.name}-${ordinal}`;
  const { whenDeleted } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const owner = { ...ownerReferenceTo(set), controller: true };
  return (set.spec.volumeClaimTemplates ?? []).map((claim) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimNameOf(claim, podName),
      namespace: set.metadata.namespace,
      labels: { ...claim.metadata.labels, ...set.spec.selector?.matchLabels },
      ...(claim.metadata.annotations !== undefined && { annotations: claim.metadata.annotations }),
      ...(whenDeleted === 'Delete' && { ownerReferences: [owner] }),
    },
    spec: claim.spec,
  }));
}
