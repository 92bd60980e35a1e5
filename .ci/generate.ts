/** Writes the generated files: the SDK's CustomResourceDefinition from the Workspace's schema, and the manifests in deploy. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workspaceFromSchema } from '../sdk/api/workspace.ts';

const root = join(import.meta.dirname, '..');
const definition = await workspaceFromSchema.crd?.();
await writeFile(join(root, 'sdk/api/workspace-crd.json'), `${JSON.stringify(definition, undefined, 1)}\n`);
const { deployed } = await import('./deployed.ts');
for (const { path, content } of await deployed()) {
  const file = join(root, 'deploy', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
