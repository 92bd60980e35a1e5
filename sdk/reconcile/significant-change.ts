/** Predicate for update events: skips changes of the status and of server-managed metadata. */

import { isSameJson } from '../api/json.ts';
import type { KubeObject } from '../api/object.ts';

/** Metadata fields that the server and the owners of finalizers maintain. */
const serverManagedFields: ReadonlySet<string> = new Set([
  'resourceVersion',
  'managedFields',
  'finalizers',
  'generation',
  'selfLink',
  'deletionGracePeriodSeconds',
]);

const authoredState = (object: KubeObject): object => {
  const { status: _, metadata, ...rest } = object as KubeObject & { readonly status?: unknown };
  return { ...rest, metadata: authoredMetadata({ metadata }) };
};

const authoredMetadata = ({ metadata }: Pick<KubeObject, 'metadata'>): object =>
  Object.fromEntries(Object.entries(metadata).filter(([field]) => !serverManagedFields.has(field)));

/**
 * Reports whether an update changed the spec (by the generation), labels, annotations, owners or the deletion timestamp. The status, finalizers and
 * metadata that the server manages do not count. Kinds without a generation are compared as a whole. An unknown previous state counts as a
 * change. Pure.
 */
export function isSignificantChange<T extends KubeObject>(previous: T | undefined, object: T): boolean {
  if (previous === undefined || previous.metadata.uid !== object.metadata.uid) return true;
  const [before, now] = [previous.metadata.generation ?? 0, object.metadata.generation ?? 0];
  if (before !== now) return true;
  return now > 0
    ? !isSameJson(authoredMetadata(previous), authoredMetadata(object))
    : !isSameJson(authoredState(previous), authoredState(object));
}
