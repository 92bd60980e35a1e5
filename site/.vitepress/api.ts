// Writes the API reference to site/pages/api, from the types and comments of the sources behind the doors of package.json: a folder for each door, a page for each export.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { pages, root } from '../stage.ts';

const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly source: string }>>;
};
const doors = new Map(
  Object.entries(exports).flatMap(([door, target]) =>
    typeof target === 'string' ? [] : [[target.source.slice(2), door.slice(2)] as const],
  ),
);

const layout: Partial<PluginOptions> & { readonly placeInternalsInOwningModule: boolean } = {
  placeInternalsInOwningModule: true, // types that exported ones are made of
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  membersWithOwnFile: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable'],
};
const app = await Application.bootstrapWithPlugins({
  entryPoints: [...doors.keys()].map((source) => join(root, source)),
  basePath: root,
  tsconfig: join(root, 'tsconfig.json'),
  plugin: ['typedoc-plugin-markdown', 'typedoc-plugin-missing-exports'],
  out: join(pages, 'api'),
  name,
  readme: 'none',
  skipErrorChecking: true,
  disableSources: true,
  excludeInternal: true,
  excludeExternals: true,
  validation: false,
  logLevel: 'Error',
  ...layout,
});
const project = await app.convert();
if (project === undefined) throw new Error('the sources could not be read');
for (const module of project.children ?? [])
  module.name = doors.get(`${module.name}/index.ts`) ?? doors.get(`${module.name}.ts`) ?? module.name;
await app.generateOutputs(project);
