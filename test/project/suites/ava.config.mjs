import { setFlagsFromString } from 'node:v8';
import { timeout } from './partition.ts';

// There are more workers than processors: threads that help one of them to collect garbage take time from the others.
setFlagsFromString('--single-threaded-gc');

/** These take longest, and but for the first wait for processes or deadlines: what else there is to do fits in between. */
const long = /workers\/(unit-cluster|system-stories|unit-sequencer-cli|unit-sequencer-cli-commands)\.ts$/;

/** What `npm test` runs: each file of `workers` stands for the test files of a folder. One of those runs by `npx ava FILE`. */
export default {
  extensions: ['ts'],
  files: ['test/project/suites/workers/*.ts'],
  sortTestFiles: (one, other) => long.test(other) - long.test(one) || one.localeCompare(other),
  concurrency: 4,
  nodeArguments: [
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    '--import=./test/project/suites/compile-cache.mjs',
  ],
  timeout,
};
