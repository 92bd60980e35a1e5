import test from 'ava';
import { selectsLabels } from '../../../../cluster/apimachinery/selectors/match-label-selector.ts';
import { labelSelectorOf } from '../../../../cluster/apimachinery/selectors/parse-label-selector.ts';
import { excessiveGrowth, workOn } from '../../../growth.ts';

const inherited = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];

test('names that objects inherit are not labels', (t) => {
  for (const name of inherited) {
    t.false(labelSelectorOf(name)!({}), name);
    t.true(labelSelectorOf(`!${name}`)!({}), name);
    t.true(labelSelectorOf(name)!({ [name]: 'x' }), name);
    t.false(selectsLabels({ matchExpressions: [{ key: name, operator: 'Exists' }] }, {}), name);
    t.true(selectsLabels({ matchExpressions: [{ key: name, operator: 'Exists' }] }, { [name]: 'x' }), name);
  }
});

test('many requirements are decided as few are', (t) => {
  const labels = { a: '1', b: '2' };
  const others = Array.from({ length: 40 }, (_, index) => `!x${index}`).join(',');
  for (const [one, selected] of [
    ['a=1', true],
    ['a==2', false],
    ['a!=1', false],
    ['b in (1,2)', true],
    ['b notin (1,2)', false],
    ['c', false],
    ['c!=1', true],
    ['c notin (1)', true],
    ['b>1', true],
    ['b<1', false],
    ...inherited.map((name) => [name, false] as const),
  ] as const) {
    t.is(labelSelectorOf(one)!(labels), selected, one);
    t.is(labelSelectorOf(`${others},${one}`)!(labels), selected, `${one} after others`);
  }
});

test('the time to decide grows as the number of requirements and of values', async (t) => {
  const labels = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`l${index}`, `v${index}`]));
  const selectors = [
    (count: number) => Array.from({ length: count }, (_, index) => `x${index}!=y`).join(','),
    (count: number) => `l1 notin (${Array.from({ length: count }, (_, index) => `w${index}`).join(',')})`,
  ];
  for (const selector of selectors) {
    const decide = workOn(
      (count) => labelSelectorOf(selector(count))!,
      (selects) => {
        for (let round = 0; round < 100; round += 1) selects(labels);
      },
    );
    t.is(await excessiveGrowth(decide, { size: 4000 }), undefined);
  }
});
