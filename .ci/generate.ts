/** Writes the generated files: the SDK's CustomResourceDefinition from the Workspace's schema, and the manifests in deploy. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceFromSchema } from '../sdk/api/workspace.ts';

const root = join(import.meta.dirname, '..');
const definition = await workspaceFromSchema.crd?.();
await writeFile(join(root, 'sdk/api/workspace-crd.json'), `${JSON.stringify(definition, undefined, 1)}\n`);
const { crdsYaml } = await import('../sequencer/cli/commands/crds.ts');
await writeFile(join(root, 'deploy/crds/workspace.yaml'), await crdsYaml());
const { deployed } = await import('./deployed.ts');
await writeFile(join(root, 'deploy/sequencer.yaml'), await deployed());
