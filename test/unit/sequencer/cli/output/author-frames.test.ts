import test from 'ava';
import { authorFrames } from '../../../../../sequencer/cli/output/author-frames.ts';

const stack = [
  "TypeError: Cannot read properties of undefined (reading 'boom')",
  '    at file:///app/acme.config.ts:6:75',
  '    at Object.task (file:///app/acme.ts:9:3)',
  '    at attempt (file:///app/node_modules/workspace-sequencer/dist/sdk.js:1:2)',
  '    at async Promise.all (index 0)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  '    at async /app/lib/other.ts:1:1',
  '    at async run (/app/lib/more.ts:1:1)',
].join('\n');

test('of a mistake the lines in its author’s code are shown, three at most', (t) => {
  t.deepEqual(authorFrames({ type: 'TypeError', stack }, '/app/node_modules/workspace-sequencer/'), [
    'at file:///app/acme.config.ts:6:75',
    'at Object.task (file:///app/acme.ts:9:3)',
    'at async /app/lib/other.ts:1:1',
  ]);
});

test('in a checkout its examples and integrations are an author’s, the SDK is not', (t) => {
  const checkout = ['sdk/provider/guard/guard.ts', 'sequencer/engine/walk.ts', 'examples/acme.ts'].map(
    (path) => `    at f (file:///src/${path}:1:1)`,
  );
  t.deepEqual(authorFrames({ type: 'TypeError', stack: ['TypeError: x', ...checkout].join('\n') }, '/src/'), [
    'at f (file:///src/examples/acme.ts:1:1)',
  ]);
});

test('what comes from outside has no lines, nor has what is not an error', (t) => {
  for (const err of [
    { type: 'UnreachableError', stack },
    { type: 'Error', stack },
    {},
    undefined,
    'no',
    { type: 'TypeError' },
  ])
    t.deepEqual(authorFrames(err, '/x/'), []);
});
