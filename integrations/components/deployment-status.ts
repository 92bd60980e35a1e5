/** State of a component's Deployment: rolled out, failed or hindered. */

import type { Deployment } from '../../sdk/index.ts';

const conditionOf = ({ status }: Deployment, type: string) => status?.conditions?.find((one) => one.type === type);

/** Reports whether all replicas run the current template and are available, without old ones. A Deployment scaled to zero is rolled out. */
export function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const wanted = spec?.replicas ?? 1;
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.availableReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted
  );
}

/** Explains why a Deployment makes no progress within its deadline; undefined while it does. */
export function rolloutFailureOf(deployment: Deployment): string | undefined {
  const progressing = conditionOf(deployment, 'Progressing');
  if (progressing?.status !== 'False') return undefined;
  return `deployment ${deployment.metadata.name} has failed: ${progressing.message ?? progressing.reason ?? 'no progress'}`;
}

/** Returns the message with which the pods of a Deployment are refused, such as that of a quota; undefined when they are not. */
export function refusedPodsOf(deployment: Deployment): string | undefined {
  const failure = conditionOf(deployment, 'ReplicaFailure');
  return failure?.status === 'True' ? (failure.message ?? failure.reason) : undefined;
}
