/** Validation of the selections of controllers. */

import type { Kind } from '../../api/kind.ts';
import type { Selection } from '../../client/client.ts';
import { unknownIn } from '../../options.ts';

const selectionFields = ['namespace', 'labels', 'fields'] as const;

/** Returns the first mistake in a selection; undefined when it is valid. */
export function mistakeInSelection({ namespaced }: Kind, selection: Selection): string | undefined {
  const unknown = unknownIn(selection, selectionFields, 'selection.');
  if (unknown !== undefined) return unknown;
  const { namespace = '' } = selection;
  return namespace === '' || namespaced
    ? undefined
    : `the kind is not namespaced, leave the namespace (${namespace}) out`;
}

/** Returns a selection without its empty members: an empty namespace means all namespaces. */
export const selectionOf = (selection: Selection): Selection =>
  Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined && value !== ''));
