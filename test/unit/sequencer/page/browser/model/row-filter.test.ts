import test from 'ava';
import {
  choicesIn,
  matching,
  nameIn,
  namespaceIn,
  noFilter,
} from '../../../../../../sequencer/page/browser/model/row-filter.ts';
import type { WorkspaceRow } from '../../../../../../sequencer/page/page-model.ts';

const row = (key: string, options: Partial<WorkspaceRow> = {}): WorkspaceRow => ({
  key,
  phase: 'Healthy',
  reason: '',
  conditions: [{ type: 'DNS', status: 'Completed' }],
  deleting: false,
  paused: false,
  created: '',
  ...options,
});
const rows = [
  row('team-a/shop'),
  row('team-a/blog', { phase: 'Error', reason: 'quota is used up', conditions: [{ type: 'Disk', status: 'Error' }] }),
  row('team-b/shop', { deleting: true }),
];
const found = (filter: Partial<typeof noFilter>) => matching(rows, { ...noFilter, ...filter }).map(({ key }) => key);

test('each word is looked for in name, namespace and reason', (t) => {
  t.deepEqual(found({ text: 'SHOP team-b' }), ['team-b/shop']);
  t.deepEqual(found({ text: ' quota ' }), ['team-a/blog']);
  t.deepEqual(found({ text: 'shop quota' }), []);
  t.is(found({}).length, 3);
});

test('phase, namespace, condition and status narrow it down together', (t) => {
  t.deepEqual(found({ phase: 'Terminating' }), ['team-b/shop']);
  t.deepEqual(found({ namespace: 'team-a', phase: 'Healthy' }), ['team-a/shop']);
  t.deepEqual(found({ condition: 'Disk' }), ['team-a/blog']);
  t.deepEqual(found({ status: 'Completed' }), ['team-a/shop', 'team-b/shop']);
  t.deepEqual(found({ condition: 'Disk', status: 'Completed' }), []);
});

test('what can be chosen is what occurs', (t) => {
  const { phases, unknown, namespaces, conditions, statuses } = choicesIn(rows);
  t.is(unknown, 0);
  const asking = row('team-a/asks', { conditions: [{ type: 'DNS', status: 'Unknown' }] });
  t.is(choicesIn([...rows, asking]).unknown, 1);
  t.deepEqual(
    [...phases],
    [
      ['Error', 1],
      ['Terminating', 1],
      ['Healthy', 1],
    ],
  );
  t.deepEqual(
    [namespaces, conditions, statuses],
    [
      ['team-a', 'team-b'],
      ['DNS', 'Disk'],
      ['Completed', 'Error'],
    ],
  );
});

test('a key has its two names', (t) => {
  t.deepEqual([namespaceIn('team-a/shop'), nameIn('team-a/shop')], ['team-a', 'shop']);
});
