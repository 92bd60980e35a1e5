import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { deployed } from '../../.ci/deployed.ts';
import type { KubeObject } from '../../sdk/index.ts';
import { crdsYaml } from '../../sequencer/cli/commands/crds.ts';
import { createCluster } from '../cluster/index.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('deploy/crds is what the kind’s definition says; if not: npm run generate', async (t) => {
  t.is(read('deploy/crds/workspace.yaml'), await crdsYaml());
});

test('deploy/sequencer.yaml is what `sequencer manifests` prints; if not: npm run generate', async (t) => {
  t.is(read('deploy/sequencer.yaml'), await deployed());
});

for (const file of ['deploy/crds/workspace.yaml', 'deploy/sequencer.yaml'])
  test(`a server takes all of ${file}`, async (t) => {
    const cluster = await createCluster();
    const documents = parseAllDocuments(read(file)).map((document) => document.toJS() as KubeObject);
    for (const object of documents) await t.notThrowsAsync(cluster.apply(object), object.kind);
    await cluster.close();
  });
