/** The package.json of a new project. */

import type { Scaffold } from './templates.ts';

/** Parts of this package's own package.json that a scaffold repeats. */
export interface OwnManifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const pickVersions = (versions: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (versions[name] === undefined ? [] : [[name, versions[name]]])));

/** Returns the package.json of a project, as text. */
export function packageJsonOf(scaffold: Scaffold, name: string, own: OwnManifest): string {
  const start: Readonly<Record<string, string>> =
    scaffold.what === 'integration'
      ? { start: 'sequencer dev workspace.yaml' }
      : { start: 'node demo.ts', operator: 'node operator.ts' };
  // The explicit path makes a Node too old for TypeScript fail; without it, it would find no tests and succeed.
  const test = 'node --test "**/*.test.ts"';
  const manifest = {
    name,
    private: true,
    type: 'module',
    engines: own.engines,
    scripts: { ...start, test, check: 'tsc' },
    dependencies: {
      [own.name]: `^${own.version}`,
      ...pickVersions(own.dependencies, ['zod']),
    },
    devDependencies: pickVersions(own.devDependencies, ['@types/node', 'typescript']),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
