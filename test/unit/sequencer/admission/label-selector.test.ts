import test from 'ava';
import fc from 'fast-check';
import { matchesSelector, unreadableRequirement } from '../../../../sequencer/admission/label-selector.ts';
import { labelSelectorOf } from '../../../cluster/apimachinery/selectors/parse-label-selector.ts';

const labels = { team: 'a', tier: 'gold', 'x.io/y': '', size: '7' };

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
  ['size>6', true],
  ['size > 7', false],
  ['size<8,size>1', true],
  ['team>1', false],
  ['none<1', false],
  ['tier in (gold', false],
] as const)
  test(`the selector ${JSON.stringify(selector)} ${expected ? 'matches' : 'does not match'}`, (t) =>
    t.is(matchesSelector(selector, labels), expected));

for (const [selector, part] of [
  ['a=b=c', 'a=b=c'],
  ['team=a, a within (b)', 'a within (b)'],
  ['a in (b', 'a in (b'],
  ['a in (b,c', 'a in (b'],
  ['a)', 'a)'],
  ['team,,tier', ''],
  ['team,', ''],
  ['!team=a', '!team=a'],
  ['team=-a', 'team=-a'],
  ['a/b/c', 'a/b/c'],
  ['size>big', 'size>big'],
  [`team=${'a'.repeat(64)}`, `team=${'a'.repeat(64)}`],
] as const)
  test(`of the selector ${JSON.stringify(selector)} the part that cannot be read is told, and it matches nothing`, (t) => {
    t.is(unreadableRequirement(selector), part);
    t.false(matchesSelector(selector, labels));
  });

test('a selector is read, and matches, as the API server does', (t) => {
  const piece = fc.constantFrom(
    ...['team', 'a', 'x.io/y', 'size', '7', '=', '==', '!=', '!', ' in ', ' notin ', '(', ')', ',', '>', '<', ' ', '-'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const selector = pieces.join('');
      const served = () => labelSelectorOf(selector)?.(labels) ?? true;
      try {
        served();
      } catch {
        return unreadableRequirement(selector) !== undefined;
      }
      return unreadableRequirement(selector) === undefined && matchesSelector(selector, labels) === served();
    }),
    { numRuns: 3000 },
  );
  t.pass();
});
