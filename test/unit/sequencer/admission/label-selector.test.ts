import test from 'ava';
import { matchesSelector } from '../../../../sequencer/admission/label-selector.ts';

const labels = { team: 'a', tier: 'gold', 'x.io/y': '' };

for (const [selector, expected] of [
  ['', true],
  ['team=a', true],
  ['team==b', false],
  ['team != b', true],
  ['none!=b', true],
  ['tier in (silver, gold)', true],
  ['tier in (silver)', false],
  ['tier notin (silver),team=a', true],
  ['none notin (silver)', true],
  ['none in (silver)', false],
  ['team', true],
  ['none', false],
  ['!none', true],
  ['! team', false],
  ['x.io/y=', true],
  [' team = a , !none ', true],
] as const)
  test(`the selector ${JSON.stringify(selector)} ${expected ? 'matches' : 'does not match'}`, (t) =>
    t.is(matchesSelector(selector, labels), expected));

test('a selector that cannot be read is refused', (t) => {
  for (const selector of ['a=b=c', 'a within (b)', '=a', 'a b'])
    t.throws(() => matchesSelector(selector), { instanceOf: TypeError });
  t.false(matchesSelector('toString'));
});
