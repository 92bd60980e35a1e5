import test from 'ava';
import type { ConditionStatus } from '../../../../../sdk/api/condition.ts';
import { add } from '../../../../../sdk/api/patch.ts';
import { waitsForPatch, waitsForText } from '../../../../../sdk/provider/journal/waits-for-text.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const workspace = (conditions: Readonly<Record<string, ConditionStatus>>) => aWorkspace({ conditions });

test('what is not through yet is named, Ready is not; on the way down all that is not Terminated', (t) => {
  const standing = workspace({
    Components: 'Completed',
    Web: 'Healthy',
    DNS: 'Locked',
    Old: 'Terminated',
    Ready: 'Unknown',
    ApprovedByOthers: 'False',
    SeenByOthers: 'True',
  });
  t.is(waitsForText(standing), 'DNS');
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  t.is(waitsForText({ ...standing, metadata: { ...standing.metadata, deletionTimestamp } }), 'Components, Web, DNS');
  t.is(waitsForText(workspace({})), '');
});

test('of many conditions some are named', (t) => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`C${at}`, 'Waiting' as const]));
  t.is(waitsForText(workspace(many)), 'C0, C1, C2, C3, C4, C5, C6, C7 and 2 more');
});

test('a patch of conditions says so where it changes that, and else nothing', (t) => {
  const one = workspace({ Components: 'Locked', DNS: 'Initialized' });
  const told = { ...one, status: { ...one.status, waitsFor: 'Components, DNS' } };
  const through = add('/status/conditions/0/status', 'Completed');
  t.deepEqual(waitsForPatch(told, [through]), [add('/status/waitsFor', 'DNS')]);
  t.deepEqual(waitsForPatch(told, [add('/status/conditions/0/reason', 'making')]), []);
  t.deepEqual(waitsForPatch(told, [add('/status/host', 'a')]), []);
  const { status: _, ...fresh } = one;
  t.deepEqual(waitsForPatch(fresh, [add('/status', { conditions: [] })]), []);
  const condition = { type: 'New', status: 'Waiting', reason: 'a', lastTransitionTime: '' };
  t.deepEqual(waitsForPatch(told, [through, add('/status/conditions/-', condition)]), [
    add('/status/waitsFor', 'DNS, New'),
  ]);
});
