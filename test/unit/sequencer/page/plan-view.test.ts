import test from 'ava';
import type { Integration } from '../../../../sdk/index.ts';
import { planViewOf } from '../../../../sequencer/page/plan-view.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { idle } from './a-page.ts';

const plain = (text: string): string => text;

test('a plan has a row for each condition, as the page shows it', (t) => {
  t.deepEqual(planViewOf(aWorkspace({ guards: { DNS: { phase: 'none' } } }), [idle('DNS')], plain), [
    { condition: 'DNS', action: 'create or adopt', what: 'no id is recorded', heldBack: false },
  ]);
});

test('a plan of many conditions with long ids is bounded', (t) => {
  const integrations = Array.from({ length: 500 }, (_, index) => idle(`C${index}`));
  const guards = Object.fromEntries(
    integrations.map(({ condition }) => [condition, { phase: 'done', refs: [{ id: 'x'.repeat(5000) }] }] as const),
  );
  const plan = planViewOf(aWorkspace({ guards: guards as never }), integrations, plain);
  t.true(plan.length <= 200);
  t.true(JSON.stringify(plan).length < 200_000);
});

test('a function of an integration that throws makes a text without secrets', (t) => {
  const failing: Integration = {
    ...idle('DNS'),
    references: () => {
      throw new Error('hunter2 is wrong');
    },
  };
  const plan = planViewOf(aWorkspace({}), [failing], (text) => text.replaceAll('hunter2', '***'));
  t.regex(JSON.stringify(plan), /\*\*\* is wrong/);
  t.notRegex(JSON.stringify(plan), /hunter2/);
});
