import test from 'ava';
import { planCode, planJson, planTable } from '../../../../../sequencer/cli/output/plan-table.ts';
import type { PlanRow } from '../../../../../sequencer/planning/plan-rows.ts';

const row = (change: Partial<PlanRow>): PlanRow => ({
  workspace: 'default/shop',
  integration: 'boxes',
  condition: 'Boxes',
  policy: 'manage',
  action: 'create',
  what: 'box a',
  heldBack: false,
  ...change,
});

test('each workspace and integration is named once, and all is counted', (t) => {
  const rows = [
    row({}),
    row({ action: 'update', what: 'box b (size is 7,\n wanted 1)' }),
    row({ integration: 'dns', action: 'nothing', what: 'DNS is as wanted' }),
    row({ workspace: 'default/other', integration: 'dns', action: 'unknown', what: 'not reached' }),
    row({ workspace: 'default/other', integration: 'mail', policy: 'plan', heldBack: true, what: 'box c' }),
  ];
  t.deepEqual(planTable(rows), [
    'WORKSPACE      INTEGRATION    ACTION   WHAT',
    'default/shop   boxes        + create   box a',
    '                            ~ update   box b (size is 7, wanted 1)',
    '               dns            nothing  DNS is as wanted',
    'default/other  dns          ? unknown  not reached',
    '               mail         + create   box c (held back: policy plan)',
    '',
    '1 create, 1 update, 1 unknown, 1 held back by policy',
  ]);
});

test('without steps there is no table', (t) => t.deepEqual(planTable([]), ['nothing would be done']));

const codes: readonly (readonly [title: string, rows: readonly PlanRow[], code: number])[] = [
  ['nothing is asked for', [], 0],
  ['all is as wanted', [row({ action: 'nothing' })], 0],
  ['policies hold everything back', [row({ heldBack: true, policy: 'plan' })], 0],
  ['something would be done', [row({ action: 'nothing' }), row({})], 2],
  ['something is not known', [row({}), row({ action: 'unknown' })], 3],
];
for (const [title, rows, code] of codes)
  test(`the code is ${code} when ${title}`, (t) => {
    t.is(planCode(rows), code as 0);
    t.deepEqual(JSON.parse(planJson(rows)), { rows, code });
  });
