import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../api/object.ts';

/** What the server and finalizers' owners keep about an object, not what its author wants. */
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
 * Whether an update changed what its author wants: the spec (generation), labels, annotations, owners, or the wish to delete it; not the
 * status, finalizers or the server's own bookkeeping. Kinds without a generation are compared as a whole. What was not known before counts. Pure.
 */
export function isSignificantChange<T extends KubeObject>(previous: T | undefined, object: T): boolean {
  if (previous === undefined || previous.metadata.uid !== object.metadata.uid) return true;
  const [before, now] = [previous.metadata.generation ?? 0, object.metadata.generation ?? 0];
  if (before !== now) return true;
  return now > 0
    ? !isDeepStrictEqual(wantedMetadata(previous), wantedMetadata(object))
    : !isDeepStrictEqual(wanted(previous), wanted(object));
}
