import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../api/object.ts';

/** Metadata that the server and owners of finalizers maintain, not the object's author. */
const bookkeeping: ReadonlySet<string> = new Set([
  'resourceVersion',
  'managedFields',
  'finalizers',
  'generation',
  'selfLink',
  'deletionGracePeriodSeconds',
]);

const wanted = (object: KubeObject): object => {
  const { status: _, metadata, ...rest } = object as KubeObject & { readonly status?: unknown };
  return { ...rest, metadata: wantedMetadata({ metadata }) };
};

const wantedMetadata = ({ metadata }: Pick<KubeObject, 'metadata'>): object =>
  Object.fromEntries(Object.entries(metadata).filter(([field]) => !bookkeeping.has(field)));

/**
 * Reports whether an update changed what its author decides: the spec (generation), labels, annotations, owners, or the deletion timestamp; not the
 * status, finalizers or the server's bookkeeping. Kinds without a generation are compared as a whole. An unknown previous state counts as a change.
 * Pure.
 */
export function isSignificantChange<T extends KubeObject>(previous: T | undefined, object: T): boolean {
  if (previous === undefined || previous.metadata.uid !== object.metadata.uid) return true;
  const [before, now] = [previous.metadata.generation ?? 0, object.metadata.generation ?? 0];
  if (before !== now) return true;
  return now > 0
    ? !isDeepStrictEqual(wantedMetadata(previous), wantedMetadata(object))
    : !isDeepStrictEqual(wanted(previous), wanted(object));
}
