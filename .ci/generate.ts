/** Writes the generated files: the SDK's CustomResourceDefinitions from the schemas of its kinds, and the manifests in deploy. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clusterIntegrationConfigFromSchema, integrationConfigFromSchema } from '../sdk/api/integration-config.ts';
import { workspaceFromSchema } from '../sdk/api/workspace.ts';

const root = join(import.meta.dirname, '..');
const definitions = {
  'workspace-crd': workspaceFromSchema,
  'integration-config-crd': integrationConfigFromSchema,
  'cluster-integration-config-crd': clusterIntegrationConfigFromSchema,
};
for (const [name, { crd }] of Object.entries(definitions))
  await writeFile(join(root, `sdk/api/${name}.json`), `${JSON.stringify(await crd?.(), undefined, 1)}\n`);
const { deployed } = await import('./deployed.ts');
for (const { path, content } of await deployed()) {
  const file = join(root, 'deploy', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
