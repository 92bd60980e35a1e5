import test from 'ava';
import type { Integration } from '../../../../sdk/index.ts';
import { processViewOf } from '../../../../sequencer/page/process-view.ts';

test('limits are named by the integrations that share them', (t) => {
  const limits = { rate: 5 };
  const integrations = [
    { name: 'one', limits },
    { name: 'two', limits },
    { name: 'three' },
  ] as unknown as Integration[];
  const state = { limits, credential: 'team-a', breaker: 'open' as const, waiting: 2, pause: 1500.4 };
  const view = processViewOf({ health: undefined, limits: [state], problems: ['no rights'] }, integrations);
  t.deepEqual(view.limits, [
    { integrations: ['one', 'two'], credential: 'team-a', breaker: 'open', waiting: 2, wait: 1500 },
  ]);
  t.deepEqual(view.problems, ['no rights', 'no sequencer runs']);
  t.false(view.synced);
});
