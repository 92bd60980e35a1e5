/** Conditions of a namespace being deleted. */

import { type ApiObject, isFields } from '../../apimachinery/object.ts';
import type { Resource } from '../../resources/registry.ts';
import { conditionOf, transitionTime } from '../conditions.ts';
import type { Condition } from '../pods/pod.ts';

/** Remaining objects of one resource. */
export interface Remaining {
  readonly resource: Resource;
  readonly objects: readonly ApiObject[];
}

const resourceName = ({ info: { plural, group } }: Resource): string => `${plural}.${group}`;

const countText = (counts: ReadonlyMap<string, number>, unit: string): string =>
  [...counts]
    .sort()
    .map(([name, count]) => `${name} ${unit.replace('#', String(count))}`)
    .join(', ');

function countsOf(
  remaining: readonly Remaining[],
  namesOf: (part: Remaining) => readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of remaining) for (const name of namesOf(part)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const discovered = {
  type: 'NamespaceDeletionDiscoveryFailure',
  status: 'False',
  reason: 'ResourcesDiscovered',
  message: 'All resources successfully discovered',
};
const parsed = {
  type: 'NamespaceDeletionGroupVersionParsingFailure',
  status: 'False',
  reason: 'ParsedGroupVersions',
  message: 'All legacy kube types successfully parsed',
};
const contentDeleted = {
  type: 'NamespaceDeletionContentFailure',
  status: 'False',
  reason: 'ContentDeleted',
  message: 'All content successfully deleted, may be waiting on finalization',
};
const contentRemoved = { status: 'False', reason: 'ContentRemoved', message: 'All content successfully removed' };
const noFinalizers = {
  status: 'False',
  reason: 'ContentHasNoFinalizers',
  message: 'All content-preserving finalizers finished',
};

const remainingContent = (counts: ReadonlyMap<string, number>) => ({
  status: 'True',
  reason: 'SomeResourcesRemain',
  message: `Some resources are remaining: ${countText(counts, 'has # resource instances')}`,
});
const remainingFinalizers = (counts: ReadonlyMap<string, number>) => ({
  status: 'True',
  reason: 'SomeFinalizersRemain',
  message: `Some content in the namespace has finalizers remaining: ${countText(counts, 'in # resource instances')}`,
});

function conditionsOf(remaining: readonly Remaining[]): readonly Condition[] {
  const content = countsOf(remaining, ({ resource, objects }) => objects.map(() => resourceName(resource)));
  const finalizers = countsOf(remaining, ({ objects }) => objects.flatMap(({ metadata }) => metadata.finalizers ?? []));
  return [
    discovered,
    parsed,
    contentDeleted,
    { type: 'NamespaceContentRemaining', ...(content.size > 0 ? remainingContent(content) : contentRemoved) },
    { type: 'NamespaceFinalizersRemaining', ...(finalizers.size > 0 ? remainingFinalizers(finalizers) : noFinalizers) },
  ];
}

/** Returns the five conditions of a terminating namespace; one whose status is unchanged keeps its `lastTransitionTime`. */
export function emptyingConditions({ status }: ApiObject, remaining: readonly Remaining[], now: number): Condition[] {
  const known = isFields(status) ? ((status.conditions as Condition[] | undefined) ?? []) : [];
  return conditionsOf(remaining).map((condition) => ({
    ...condition,
    lastTransitionTime: transitionTime(conditionOf(known, condition.type), condition.status, now),
  }));
}
