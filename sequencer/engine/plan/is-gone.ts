/** Decides whether all external objects of an integration are gone, or nothing was ever begun for it. */

import { isOfOtherClaim, newerFormat, recordsWork } from '../../../sdk/host/index.ts';
import {
  claimOf,
  conditionOf,
  findCondition,
  type GuardEntry,
  type Integration,
  isDeleting,
  type Workspace,
} from '../../../sdk/index.ts';

/** Reports whether only a newer release can read the journal entry. */
export const isNewer = ({ status }: Workspace, { condition }: Integration): boolean =>
  newerFormat(status?.guards?.[condition]) !== undefined;

/** Returns the journal entry, if a guard has begun. */
function begunOf({ status }: Workspace, type: string): GuardEntry | undefined {
  const entry = status?.guards?.[type];
  return entry?.phase === 'none' ? undefined : entry;
}

/** Finalizers that Kubernetes itself sets. */
const builtIn: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);
/** Statuses of a condition whose integration has not done anything yet. */
const idle: ReadonlySet<string> = new Set(['Initialized', 'Waiting', 'Error']);

/** Reports whether a condition was still idle when its workspace was deleted; the deletion increments the generation. */
function isIdle(workspace: Workspace, type: string): boolean {
  const { status, observedGeneration } = conditionOf(workspace, type);
  return idle.has(status) && observedGeneration !== workspace.metadata.generation;
}

/**
 * Reports whether nothing was ever begun for an integration on a workspace that is being deleted: no guard ran, no id is known, it owns no objects in
 * the cluster, its condition is idle, and only the sequencer and Kubernetes have finalizers. Then the integration need not be called.
 */
export function isUnusedOnDeletion(workspace: Workspace, { condition, owns = [] }: Integration): boolean {
  const { finalizers = [] } = workspace.metadata;
  return (
    isDeleting(workspace) &&
    owns.length === 0 &&
    isIdle(workspace, condition) &&
    workspace.status?.guards?.[condition]?.phase === 'none' &&
    !recordsWork(workspace, condition) &&
    finalizers.every((finalizer) => finalizer.startsWith(claimOf('')) || builtIn.has(finalizer))
  );
}

/** Reports whether all its external objects are gone: by its journal or, if it never ran a guard, by its condition. */
export function isGone(workspace: Workspace, integration: Integration): boolean {
  if (isNewer(workspace, integration)) return false;
  const { name, condition } = integration;
  const entry = begunOf(workspace, condition);
  if (isOfOtherClaim(entry, claimOf(name))) return false;
  if (entry !== undefined) return entry.phase === 'gone' && entry.late === undefined;
  if (isUnusedOnDeletion(workspace, integration)) return true;
  return findCondition(workspace.status?.conditions, condition)?.status === 'Terminated';
}
