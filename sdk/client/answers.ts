import { apiVersionOf, type Kind } from '../api/kind.ts';
import type { KubeObject } from '../api/object.ts';

/** Freezes a parsed JSON value and everything in it, in place. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}

/**
 * An object as the rest of the package sees it: frozen, without `metadata.managedFields`, and with the `apiVersion` and `kind` that
 * servers leave out of list items. An answer that is metadata only gets the kind it stands for.
 */
export function objectOf<T extends KubeObject>(kind: Kind<T>, answered: T): T {
  const { managedFields: _, ...metadata } = answered.metadata;
  const partial = answered.kind === undefined || answered.kind === 'PartialObjectMetadata';
  return deepFreeze({
    ...answered,
    ...(partial && { apiVersion: apiVersionOf(kind), kind: kind.kind }),
    metadata,
  });
}
