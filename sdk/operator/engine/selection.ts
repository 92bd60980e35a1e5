/** Validates the selections of controllers. */

import type { Kind } from '../../api/kind.ts';
import type { Selection } from '../../client/client.ts';
import { unknownIn } from '../../options.ts';

const known = ['namespace', 'labels', 'fields'] as const;

/** Returns the first mistake in a selection of objects of a kind; undefined when it is valid. */
export function mistakeInSelection({ namespaced }: Kind, selection: Selection): string | undefined {
  const unknown = unknownIn(selection, known, 'selection.');
  if (unknown !== undefined) return unknown;
  const { namespace = '' } = selection;
  return namespace === '' || namespaced
    ? undefined
    : `the kind is not namespaced, leave the namespace (${namespace}) out`;
}

/** Returns a selection without its empty members, which select nothing: an empty namespace stands for all. */
export const selectionOf = (selection: Selection): Selection =>
  Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined && value !== ''));
