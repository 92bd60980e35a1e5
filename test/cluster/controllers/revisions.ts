/** Revision history of StatefulSets and DaemonSets. */

import { ownerReferenceTo } from '../../../sdk/api/object.ts';
import { type ApiObject, equal, type Fields } from '../apimachinery/object.ts';
import type { View, Write } from './engine/reconciler.ts';
import { type Claim, claim } from './ownership.ts';
import type { PodTemplate } from './pods/from-template.ts';
import { templateHash } from './template-hash.ts';

/** ControllerRevision that holds a pod template of a workload. */
export interface Revision extends ApiObject {
  readonly revision: number;
  readonly data: { readonly spec: { readonly template: Fields } };
}

/** Workload with a revision history. */
export interface RevisionedWorkload extends ApiObject {
  readonly spec: {
    readonly template: PodTemplate;
    readonly revisionHistoryLimit?: number;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
  readonly status?: { readonly collisionCount?: number };
}

/** Collection of ControllerRevisions. */
export const revisions = 'apps/controllerrevisions';
/** Label with the hash of a StatefulSet's revision. */
export const revisionHashLabel = 'controller.kubernetes.io/hash';
/** Label of pods with their revision, and of a DaemonSet's revisions with their hash. */
export const podRevisionLabel = 'controller-revision-hash';

const dataOf = ({ spec }: RevisionedWorkload): Revision['data'] => ({
  spec: { template: { ...spec.template, $patch: 'replace' } },
});

/** Claims a workload's revisions, which it owns oldest first; those without a controller that its selector matches are adopted. */
function claimRevisions(owner: RevisionedWorkload, view: View): Claim<Revision> {
  const { owned, writes } = claim(owner, view.list<Revision>(revisions, owner.metadata.namespace));
  const byRevision = (a: Revision, b: Revision): number =>
    a.revision - b.revision || (a.metadata.name < b.metadata.name ? -1 : 1);
  return { owned: owned.toSorted(byRevision), writes };
}

/** Revision history of a workload. */
export interface History {
  /** Revision of the current template; undefined until it is created or adopted. */
  readonly current: Revision | undefined;
  readonly all: readonly Revision[];
  /** Adoptions, or else the writes that record the current template as the newest revision. */
  readonly writes: readonly Write[];
}

function newRevision(owner: RevisionedWorkload, number: number, hashLabel: string): Write {
  const collisionCount = owner.status?.collisionCount ?? 0;
  const hash = templateHash(owner.spec.template, collisionCount);
  const { annotations, name, namespace } = owner.metadata;
  return {
    do: 'create',
    object: {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: { ...owner.spec.template.metadata?.labels, [hashLabel]: hash },
        ...(annotations !== undefined && { annotations }),
        ownerReferences: [ownerReferenceTo(owner)],
      },
      data: dataOf(owner),
      revision: number,
    },
  };
}

/**
 * Returns the history of a workload; a template it had before becomes its newest revision again. `hashLabel` names the
 * label of a revision's hash.
 */
export function historyOf(owner: RevisionedWorkload, view: View, hashLabel: string): History {
  const { owned: all, writes } = claimRevisions(owner, view);
  if (writes.length > 0) return { current: undefined, all, writes };
  const newest = all.at(-1);
  const number = (newest?.revision ?? 0) + 1;
  const current = all.findLast(({ data }) => equal(data, dataOf(owner)));
  if (current === undefined) return { current, all, writes: [newRevision(owner, number, hashLabel)] };
  const isNewest = current.revision === newest?.revision;
  return { current, all, writes: isNewest ? [] : [{ do: 'update', object: { ...current, revision: number } }] };
}

/** Deletes the oldest revisions beyond the limit that are not live. */
export function truncateHistory({ all }: History, live: ReadonlySet<string>, limit: number): readonly Write[] {
  const old = all.filter(({ metadata }) => !live.has(metadata.name) && metadata.deletionTimestamp === undefined);
  return old.slice(0, Math.max(0, old.length - limit)).map((object) => ({ do: 'delete', object }));
}

/** Returns the pod template of a revision. */
export function templateOf({ data }: Revision): PodTemplate {
  const { $patch: _patch, ...template } = data.spec.template;
  return template as unknown as PodTemplate;
}
