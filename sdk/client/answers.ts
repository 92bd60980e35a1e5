import { apiVersionOf, type Kind } from '../api/kind.ts';
import type { KubeObject } from '../api/object.ts';

/** Levels that are frozen by recursion, which is the fastest. */
const usualLevels = 100;

/** Freezes down to so many levels. What lies deeper is put into `deeper`. */
function freeze(value: unknown, levels: number, deeper: object[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) return void deeper.push(value);
  if (Array.isArray(value)) for (const item of value) freeze(item, levels - 1, deeper);
  else for (const name in value) freeze((value as Record<string, unknown>)[name], levels - 1, deeper);
  Object.freeze(value);
}

/** Freezes a parsed JSON value and everything in it, in place. Servers store 10 000 levels, which no stack has room for. */
export function deepFreeze<T>(value: T): T {
  const deeper: object[] = [];
  freeze(value, usualLevels, deeper);
  for (let next = deeper.pop(); next !== undefined; next = deeper.pop()) freeze(next, usualLevels, deeper);
  return value;
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
