/** Forms of the project's code that benchmarks run. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Form of the project that runs: its sources, with types stripped on load, or the built code. */
export type Form = 'sources' | 'built';

/** Runnable code, and the arguments that Node needs for it. */
export interface Code {
  readonly form: Form;
  readonly nodeArguments: readonly string[];
  /** Returns the path of `sdk/index.ts` and the like. */
  path(source: string): string;
  /** Returns the same as a URL, for `import`. */
  url(source: string): string;
}

const codeIn = (form: Form, nodeArguments: readonly string[], path: Code['path']): Code => ({
  form,
  nodeArguments,
  path,
  url: (source) => pathToFileURL(path(source)).href,
});

/** The checkout, unbuilt. */
export const sources: Code = codeIn(
  'sources',
  ['--conditions=source', '--disable-warning=ExperimentalWarning'],
  (source) => join(import.meta.dirname, '../../../..', source),
);

/** Code built into a folder. */
export const builtIn = (folder: string): Code =>
  codeIn('built', [], (source) => join(folder, source.replace(/\.ts$/, '.js')));
