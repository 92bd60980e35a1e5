/** DaemonSets: type, node eligibility and pods. */

import { type Fields, valueAt } from '../../apimachinery/object.ts';
import type { NewObject } from '../engine/reconciler.ts';
import type { IntOrPercent } from '../int-or-percent.ts';
import type { Node } from '../node-lifecycle/nodes.ts';
import { podFrom } from '../pods/from-template.ts';
import type { Pod } from '../pods/pod.ts';
import { podRevisionLabel, type Revision, type RevisionedWorkload } from '../revisions.ts';
import { matchesNodeAffinity, untoleratedTaint } from '../scheduler/node-affinity.ts';

/** DaemonSet object. */
export interface DaemonSet extends RevisionedWorkload {
  readonly spec: RevisionedWorkload['spec'] & {
    readonly minReadySeconds?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrPercent; readonly maxSurge?: IntOrPercent };
    };
  };
  readonly status?: { readonly collisionCount?: number };
}

/** Collection of DaemonSets. */
export const daemonSets = 'apps/daemonsets';

const generationAnnotation = 'deprecated.daemonset.template.generation';

const taint = (name: string, effect: string): Fields => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
});

/** Returns the tolerations of daemon pods, which run on nodes with conditions that evict other pods. */
function tolerationsOf({ spec }: DaemonSet): readonly Fields[] {
  const given = (spec.template.spec.tolerations as Fields[] | undefined) ?? [];
  const own = [
    taint('not-ready', 'NoExecute'),
    taint('unreachable', 'NoExecute'),
    taint('disk-pressure', 'NoSchedule'),
    taint('memory-pressure', 'NoSchedule'),
    taint('pid-pressure', 'NoSchedule'),
    taint('unschedulable', 'NoSchedule'),
    ...(spec.template.spec.hostNetwork === true ? [taint('network-unavailable', 'NoSchedule')] : []),
  ];
  const isGiven = ({ key, effect }: Fields): boolean => given.some((one) => one.key === key && one.effect === effect);
  return [...given, ...own.filter((toleration) => !isGiven(toleration))];
}

/** Reports whether a daemon pod should run on a node, and whether a running one may stay. */
export function placeOf(set: DaemonSet, node: Node): { readonly runs: boolean; readonly stays: boolean } {
  const tolerations = tolerationsOf(set);
  const isSelected = matchesNodeAffinity(set.spec.template.spec as Pod['spec'], node);
  const stays = isSelected && untoleratedTaint(tolerations, node, ['NoExecute']) === undefined;
  return { stays, runs: stays && untoleratedTaint(tolerations, node, ['NoSchedule']) === undefined };
}

const required = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];

/** Returns the node of a daemon pod, bound or targeted by its node affinity. */
export function nodeOf({ spec }: Pod): string {
  if (spec.nodeName) return spec.nodeName;
  const terms = valueAt(spec, required) as readonly Fields[] | undefined;
  const fields = terms?.flatMap((term) => (term.matchFields as Fields[] | undefined) ?? []) ?? [];
  return String((fields.find(({ key }) => key === 'metadata.name')?.values as string[] | undefined)?.[0] ?? '');
}

function withNodeAffinity(affinity: Fields, nodeName: string): Fields {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }];
  const terms = (valueAt({ affinity }, required) as readonly Fields[] | undefined) ?? [{}];
  const nodeAffinity = {
    ...(affinity.nodeAffinity as Fields | undefined),
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: terms.map((term) => ({ ...term, matchFields })),
    },
  };
  return { ...affinity, nodeAffinity };
}

/** Returns the daemon pod of a node. */
export function daemonFor(set: DaemonSet, nodeName: string, revision: Revision): NewObject {
  const { template } = set.spec;
  const pod = podFrom(set, template);
  const labels = {
    ...template.metadata?.labels,
    [podRevisionLabel]: revision.metadata.labels?.[podRevisionLabel] ?? '',
    'pod-template-generation': set.metadata.annotations?.[generationAnnotation] ?? '1',
  };
  const affinity = withNodeAffinity((template.spec.affinity as Fields | undefined) ?? {}, nodeName);
  return {
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: { ...template.spec, affinity, tolerations: tolerationsOf(set) },
  };
}

/** Reports whether a daemon pod is of a revision. */
export const isOfRevision = ({ metadata }: Pod, revision: Revision): boolean =>
  metadata.labels?.[podRevisionLabel] === revision.metadata.labels?.[podRevisionLabel];
