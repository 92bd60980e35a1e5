import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { deployed } from '../../../.ci/deployed.ts';
import type { KubeObject } from '../../../sdk/index.ts';
import { createCluster } from '../../cluster/index.ts';

const root = join(import.meta.dirname, '../../../deploy');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('deploy is what `sequencer manifests` and `sequencer crds` make of its config; if not: npm run generate', async (t) => {
  const files = await deployed();
  for (const { path, content } of files) t.is(read(path), content, path);
  const there = globSync('**/*.*', { cwd: root });
  t.deepEqual(there.sort(), [...files.map(({ path }) => path), 'sequencer.config.js'].sort());
});

for (const [overlay, paths] of Object.entries({
  base: ['crds/workspace.yaml', 'base/sequencer.yaml'],
  'overlays/one-namespace': ['overlays/one-namespace/roles.yaml'],
}))
  test(`a server takes all of ${overlay}`, async (t) => {
    const cluster = await createCluster();
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sequencer-system' } });
    for (const path of paths) {
      const documents = parseAllDocuments(read(path)).map((document) => document.toJS() as KubeObject);
      for (const object of documents) await t.notThrowsAsync(cluster.apply(object), `${path}: ${object.kind}`);
    }
    await cluster.close();
  });
