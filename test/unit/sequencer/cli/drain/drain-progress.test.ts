import test from 'ava';
import type { ConditionStatus, Workspace } from '../../../../../sdk/index.ts';
import { createDrainProgress } from '../../../../../sequencer/cli/drain/drain-progress.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const held = (name: string, status: ConditionStatus, reason: string): Workspace => {
  const condition = { type: 'DNS', status, reason, lastTransitionTime: '2026-01-01T00:00:00Z' };
  return aWorkspace({ name, finalizers: ['se.quencer.io/acme'], status: { conditions: [condition] } });
};

function aProgress() {
  const clock = createManualClock();
  const lines: string[] = [];
  return { clock, lines, progress: createDrainProgress(clock, (line) => void lines.push(line)) };
}

test('what keeps a workspace for ten seconds is reported, each line once', async (t) => {
  const { clock, lines, progress } = aProgress();
  const asks = held('shop', 'Unknown', 'a person has to look');
  progress.update([asks]);
  await clock.advance(9_999);
  progress.update([asks]);
  t.deepEqual(lines, ['1 to delete']);
  for (const workspace of [asks, asks, held('shop', 'Waiting', 'for the zone')]) {
    await clock.advance(10_000);
    progress.update([workspace]);
  }
  progress.update([]);
  t.deepEqual(lines.slice(1), [
    'default/shop  DNS  Unknown: a person has to look',
    'default/shop  is claimed by se.quencer.io/acme',
    'default/shop  DNS  Waiting: for the zone',
    'default/shop  gone, 0 left',
  ]);
});

test('of many lines twenty are reported at a time', async (t) => {
  const { clock, lines, progress } = aProgress();
  const many = Array.from({ length: 400 }, (_, nth) => held(`w${nth}`, 'Waiting', 'for the zone'));
  progress.update(many);
  await clock.advance(10_000);
  progress.update(many);
  t.is(lines.length, 22);
  t.is(lines.at(-1), 'and 780 more such lines');
});

test('a server that gives no list is reported once, and once when it does again', (t) => {
  const { lines, progress } = aProgress();
  progress.listFailed(new Error('no answer'));
  progress.listFailed(new Error('none again'));
  progress.update([]);
  progress.update([]);
  t.deepEqual(lines, ['the API server lists no workspaces, retrying: no answer', 'the API server answers again']);
});
