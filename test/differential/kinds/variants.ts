import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** What is put where into an object, by path; null takes it away. */
type Changes = Readonly<Record<string, unknown>>;

/** Objects of a kind that are each created with changes, and then changed again, step by step; changes of `status.` go to its status. */
export interface Variants {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object without its name. */
  readonly object: object;
  readonly variants: readonly (readonly Changes[])[];
}

/** What kinds do that a spoilt field does not show, from `variants.yaml`. */
export const readVariants = (): readonly Variants[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, 'variants.yaml'), 'utf8')).map(
    (document) => document.toJS() as Variants,
  );

/** Changes as a step has them, and which part of the object they are for. */
export function partOf(changes: Changes): { readonly set: Changes; readonly isStatus: boolean } {
  const paths = Object.keys(changes);
  const set = Object.fromEntries(paths.map((path) => [path, changes[path] ?? undefined]));
  return { set, isStatus: paths.length > 0 && paths.every((path) => path.startsWith('status')) };
}
