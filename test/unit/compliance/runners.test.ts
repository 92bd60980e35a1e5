import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { aFolder } from '../a-folder.ts';

const root = join(import.meta.dirname, '../../..');
const node = promisify(execFile);
const run = (...args: readonly string[]) =>
  node(process.execPath, ['--conditions=source', '--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    timeout: 120_000,
  }).catch((error: { readonly code: number; readonly stdout: string }) => error);

/** Subject that fails its cases, in the named runner. */
const failing = (runner: string): string => `
import ${runner === 'ava' ? 'test' : '{ test }'} from '${runner}';
import { defineIntegration } from '${root}/sdk/index.ts';
import { testIntegration } from '${root}/test/compliance/index.ts';
testIntegration(test, {
  identity: 'opaque',
  spec: { integrations: { nothing: {} } },
  cannot: Object.fromEntries(['once', 'cleans', 'emptied', 'unreconciled', 'signal', 'locked', 'paused', 'crash'].map((name) => [name, 'not now'])),
  start: () => ({
    remote: () => [],
    integration: () => defineIntegration({
      name: 'nothing',
      condition: 'Nothing',
      handles: ({ spec }) => spec.integrations?.nothing !== undefined,
      connect: ({ controller }) => ({
        reconcile: () => controller.updateCondition('Completed', 'did nothing'),
        terminate: () => controller.updateCondition('Terminated', 'did nothing'),
      }),
    }),
  }),
});
`;

test('node:test runs the kit: the example plug-in passes', async (t) => {
  const { stdout } = await run('--test', '--test-reporter=tap', 'examples/short-links/short-links.test.ts');
  t.regex(stdout, /^# pass 28$/m, stdout);
  t.regex(stdout, /^# fail 0$/m);
  t.regex(stdout, /not proved: the subject does not declare target: cluster.* # SKIP/);
});

test('node:test tells what fails, and what is not proved', async (t) => {
  const file = join(await aFolder(t, { 'failing.test.ts': failing('node:test') }), 'failing.test.ts');
  const { stdout } = await run('--test', '--test-reporter=tap', file);
  t.regex(stdout, /^not ok \d+ - brings its condition to Completed$/m, stdout);
  t.regex(stdout, /Completed, but nothing exists at the third party/);
  t.regex(stdout, /^# pass 7$/m);
  t.regex(stdout, /changes with the spec \\?\(not proved: the subject declares no edited\\?\) # SKIP/);
});
