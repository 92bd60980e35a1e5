import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Which form of the project runs: its sources, types stripped as they load, or what is built from them. */
export type Form = 'sources' | 'built';

/** Code that can be run, and the arguments Node needs for it. */
export interface Code {
  readonly form: Form;
  readonly nodeArguments: readonly string[];
  /** The path of `sdk/index.ts` and the like. */
  path(source: string): string;
  /** The same as a URL, for `import`. */
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
  (source) => join(import.meta.dirname, '..', '..', source),
);

/** What was built into a folder. */
export const builtIn = (folder: string): Code =>
  codeIn('built', [], (source) => join(folder, source.replace(/\.ts$/, '.js')));
