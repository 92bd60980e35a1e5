import test from 'ava';
import { failedFiles } from '../../.ci/failed-files.ts';

const files = [
  'test/project/architecture.test.ts',
  'test/system/clients/helm.real.ts',
  'test/system/stories/walk.test.ts',
  'test/system/stories/watchers.test.ts',
  'test/unit/sdk/provider/walk.test.ts',
  'test/unit/sequencer/cli/args/test-options.test.ts',
  'test/unit/sequencer/run/shards.test.ts',
];
const failed = (title: string) =>
  failedFiles(`  ✔ other › passes\n  ✘ [fail]: ${title} Rejected promise returned by test\n`, files);

test('a title of a worker of npm test names the file that it has run', (t) => {
  const worker = 'project › suites › workers ›';
  t.deepEqual(failed(`${worker} unit-sdk › sdk › provider › walk › ends`), ['test/unit/sdk/provider/walk.test.ts']);
  t.deepEqual(failed(`${worker} rest › architecture › sizes`), ['test/project/architecture.test.ts']);
  t.deepEqual(failed(`${worker} unit-sequencer-cli › sequencer › cli › args › test-options › a › b`), [
    'test/unit/sequencer/cli/args/test-options.test.ts',
  ]);
});

test('a title names a file without the folders that all files of its run share', (t) => {
  t.deepEqual(failed('system › stories › watchers › in-memory: T18'), ['test/system/stories/watchers.test.ts']);
  t.deepEqual(failed('stories › walk › kube-apiserver: to Ready'), ['test/system/stories/walk.test.ts']);
  t.deepEqual(failed('helm.real › installs › upgrades'), ['test/system/clients/helm.real.ts']);
});

test('each file is named once, in order; several that a title may mean are all named', (t) => {
  const line = (title: string) => `  ✘ [fail]: ${title} Difference\n`;
  t.deepEqual(failedFiles(line('run › shards › b') + line('run › shards › a') + line('walk › ends'), files), [
    'test/system/stories/walk.test.ts',
    'test/unit/sdk/provider/walk.test.ts',
    'test/unit/sequencer/run/shards.test.ts',
  ]);
});

test('a title that names no file is refused; where nothing has failed, there are none', (t) => {
  t.throws(() => failed('elsewhere › fails'), { message: /^no test file is named by: elsewhere › fails/ });
  t.deepEqual(failedFiles('  ✔ walk › ends\n  1 test passed\n', files), []);
});
