/** Converts API responses into the frozen objects that the rest of the package uses. */

import { isJsonObject } from '../../api/json.ts';
import { apiVersionOf, type Kind } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import type { HttpResponse } from './http-exchange.ts';
import { withoutManagedFields } from './managed-fields.ts';

/** Reports whether a response is an object, a list or a Status, as an API server answers: not that of another server. */
const isKubeResponse = (response: unknown): boolean =>
  isJsonObject(response) && (response.kind === 'Status' || isJsonObject(response.metadata));

/**
 * Parses a successful response. A raw call may be answered by any JSON, and by a plain text.
 * @param depth depth of `managedFields` that are dropped @throws Error when it is none
 */
export function parseResponse(
  { headers, body }: HttpResponse,
  { depth, isRaw }: { readonly depth: number | undefined; readonly isRaw: boolean },
): unknown {
  const text = body.toString();
  let response: unknown;
  try {
    response = JSON.parse(depth === undefined ? text : withoutManagedFields(text, depth));
  } catch (error) {
    if (isRaw && String(headers['content-type']).startsWith('text/plain')) return text;
    throw error;
  }
  if (!isRaw && !isKubeResponse(response)) throw new Error('answered no object');
  return response;
}

/** Number of levels that are frozen by recursion, which is faster than a stack. */
const maxRecursion = 100;

/** Freezes down to `levels` levels and appends deeper values to `deeper`. */
function freeze(value: unknown, levels: number, deeper: object[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) return void deeper.push(value);
  if (Array.isArray(value)) for (const item of value) freeze(item, levels - 1, deeper);
  else for (const name in value) freeze((value as Record<string, unknown>)[name], levels - 1, deeper);
  Object.freeze(value);
}

/** Freezes a parsed JSON value deeply, in place. Servers store values of 10 000 levels, too deep for recursion alone. */
export function deepFreeze<T>(value: T): T {
  const deeper: object[] = [];
  freeze(value, maxRecursion, deeper);
  for (let next = deeper.pop(); next !== undefined; next = deeper.pop()) freeze(next, maxRecursion, deeper);
  return value;
}

/**
 * Returns an object in the form the package uses: frozen, without `metadata.managedFields`, with the `apiVersion` and `kind` that servers omit from
 * list items.
 * A PartialObjectMetadata gets the kind of its object.
 */
export function decodeObject<T extends KubeObject>(kind: Kind<T>, received: T): T {
  const { managedFields: _, ...metadata } = received.metadata;
  const partial = received.kind === undefined || received.kind === 'PartialObjectMetadata';
  return deepFreeze({
    ...received,
    ...(partial && { apiVersion: apiVersionOf(kind), kind: kind.kind }),
    metadata,
  });
}
