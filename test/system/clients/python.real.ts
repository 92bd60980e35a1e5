import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { blocksOf, fileOf } from '../../project/docs/examples/blocks.ts';
import { createScratch } from '../real/owned-process.ts';
import { root, run, sequencerArguments } from '../stories/programs.ts';
import { pythonEnvironment } from './operators.ts';
import { built } from './recipes.ts';
import { inMemory, judge } from './servers.ts';

const folder = join(import.meta.dirname, 'python');

/** Output of `dynamic.py`, step by step, on every server. */
const steps = [
  { step: 'established' },
  {
    step: 'discovered',
    path: '/apis/python.clients.example.com/v1/namespaces/default/greetings/x',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  },
  { step: 'created', copies: 1, generation: 1 },
  { step: 'patched', copies: 2, generation: 2 },
  { step: 'status', said: 'hello hello', generation: 2 },
  { step: 'applied', labels: { applied: 'yes' } },
  { step: 'conflict', reason: 'Conflict' },
  {
    step: 'refused',
    message:
      'Greeting.python.clients.example.com "bad" is invalid: spec.text: Invalid value: "": spec.text in body should be at least 1 chars long',
  },
  { step: 'listed', names: ['dynamic'] },
  { step: 'held', deleting: true },
  { step: 'gone', last: 'DELETED' },
  { step: 'typed', namespaces: ['default', 'kube-node-lease', 'kube-public', 'kube-system'] },
  { step: 'version', server: 'v1.34.1', client: '34.1.0' },
];

for (const { name, start } of judge === undefined ? [inMemory] : [inMemory, judge])
  (built('python') === undefined ? test.skip : test.serial)(
    `${name}: Python's dynamic client defines, creates, watches, patches, applies, deletes`,
    async (t) => {
      const server = await start();
      t.teardown(() => server.close());
      const args = [join(folder, 'dynamic.py'), join(folder, 'greetings.yaml')];
      const env = { ...pythonEnvironment, KUBECONFIG: server.kubeconfigPath };
      const { code, stdout, stderr } = await run('python3', args, { env });
      t.is(code, 0, stderr);
      t.deepEqual(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
        steps,
      );
    },
  );

/** Writes an `npx` that runs this checkout's `sequencer` into a folder for the PATH. */
function writeNpx(folder: string): void {
  const quoted = [process.execPath, ...sequencerArguments('')].slice(0, -1).map((word) => `'${word}'`);
  const path = join(folder, 'npx');
  writeFileSync(path, `#!/bin/sh\nshift\nexec ${quoted.join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
}

(built('python') === undefined ? test.skip : test.serial)(
  "the guide's programs in Python run as they are",
  async (t) => {
    const { folder, remove } = createScratch('python');
    t.teardown(remove);
    const blocks = blocksOf(readFileSync(join(root, 'docs/cluster/languages.md'), 'utf8'));
    const files = blocks.filter(({ language }) => language === 'python');
    for (const block of files) writeFileSync(join(folder, fileOf(block)), block.text);
    writeNpx(folder);
    const env = { ...pythonEnvironment, PATH: `${folder}:${process.env.PATH}` };
    const { code, stdout, stderr } = await run('python3', ['test_namespaces.py'], { env, cwd: folder });
    t.deepEqual([code, stdout], [0, 'default kube-node-lease kube-public kube-system\n'], stderr);
  },
);
