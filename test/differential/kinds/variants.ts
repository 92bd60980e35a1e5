import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** What is put where into an object, by path; null takes it away. `/` names the subresource that is written to, `/status` where only the status is changed. */
type Changes = Readonly<Record<string, unknown>>;

/** Objects of a kind that are each created with changes, and then changed again, step by step; changes of `status.` go to its status. */
export interface Variants {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object without its name. */
  readonly object: object;
  readonly variants: readonly (readonly Changes[])[];
}

/** Where they are, in their order. */
const files = ['variants.yaml', 'pod-variants.yaml'];

/** What kinds do that a spoilt field does not show. */
export const readVariants = (): readonly Variants[] =>
  files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(import.meta.dirname, file), 'utf8')).map(
      (document) => document.toJS() as Variants,
    ),
  );

/** Changes as a step has them, and which part of the object they are for. */
export function partOf({ '/': named, ...changes }: Changes): { readonly set: Changes; readonly part?: string } {
  const paths = Object.keys(changes);
  const set = Object.fromEntries(paths.map((path) => [path, changes[path] ?? undefined]));
  const isStatus = paths.length > 0 && paths.every((path) => path.startsWith('status'));
  const part = named === undefined && isStatus ? 'status' : named;
  return part === undefined ? { set } : { set, part: String(part) };
}
