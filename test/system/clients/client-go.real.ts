import { join } from 'node:path';
import test from 'ava';
import { run } from '../stories/programs.ts';
import { built } from './recipes.ts';
import { inMemory, judge } from './servers.ts';

const folder = built('go');

/** Output of `go/steps` on every server, for either way to list. */
const steps = [
  { step: 'metadata', heard: ['add a ', 'add b ', 'delete a 1', 'delete b ', 'update a 1'] },
  {
    step: 'conflict',
    is: true,
    message: 'Apply failed with 1 conflict: conflict with "first": .data.ours',
  },
  { step: 'forced', data: { mine: '1', ours: '2' }, managers: ['first Apply', 'second Apply'] },
  { step: 'left', data: { ours: '2' }, managers: ['first Apply', 'second Apply'] },
  { step: 'retried', attempts: 3, data: { done: 'yes' }, failed: false },
  {
    step: 'events',
    count: 12,
    first: ['Same x3: again and again', 'Serial x2: in a series'],
    last: 'Similar x3: (combined from similar events): number 11',
  },
];
const ready = { step: 'ready', phase: 'Running' };

for (const { name, start, runsPods } of judge === undefined ? [inMemory] : [inMemory, judge])
  for (const feature of ['false', 'true'])
    (folder === undefined ? test.skip : test.serial)(
      `${name}: client-go's metadata, dynamic and event clients do as they should (WatchListClient=${feature})`,
      async (t) => {
        const server = await start();
        t.teardown(() => server.close());
        const env = {
          KUBECONFIG: server.kubeconfigPath,
          KUBE_FEATURE_WatchListClient: feature,
          ...(runsPods && { PODS_RUN: 'yes' }),
        };
        const { code, stdout, stderr } = await run(join(folder ?? '', 'steps'), [], { env });
        t.is(code, 0, stderr);
        t.notRegex(stderr, /falling back/, 'lists by watching where it should');
        t.deepEqual(
          stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
          runsPods ? [...steps, ready] : steps,
        );
      },
    );
