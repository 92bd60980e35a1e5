/** Reads objects that scenarios change step by step. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** Values by path; null removes. `/` names the subresource to write to, `/status` where only the status is changed. */
type Changes = Readonly<Record<string, unknown>>;

/** Objects of a kind that are each created with changes and then changed step by step; changes of `status.` go to its status. */
export interface Variants {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object without its name. */
  readonly object: object;
  readonly variants: readonly (readonly Changes[])[];
}

/** Files of the variants, in order. */
const files = ['variants.yaml', 'pod-variants.yaml'];

/** Reads variants: behaviour of kinds that a mutated field does not show. */
export const readVariants = (): readonly Variants[] =>
  files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(import.meta.dirname, file), 'utf8')).map(
      (document) => document.toJS() as Variants,
    ),
  );

/** Splits changes into those of a step and the part of the object they are for. */
export function partOf({ '/': named, ...changes }: Changes): { readonly set: Changes; readonly part?: string } {
  const paths = Object.keys(changes);
  const set = Object.fromEntries(paths.map((path) => [path, changes[path] ?? undefined]));
  const isStatus = paths.length > 0 && paths.every((path) => path.startsWith('status'));
  const part = named === undefined && isStatus ? 'status' : named;
  return part === undefined ? { set } : { set, part: String(part) };
}
