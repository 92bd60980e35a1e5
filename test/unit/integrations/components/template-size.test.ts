import test from 'ava';
import { excessOf } from '../../../../integrations/components/template-size.ts';

const nested = (levels: number): object => {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};

test('a pod spec of ordinary size is not too large', (t) => {
  const template = { containers: [{ name: 'web', image: 'web', args: ['x'.repeat(10_000)], tty: true, stdin: null }] };
  t.is(excessOf([{ name: 'web', template }]), undefined);
});

test('more than 32 levels are reported, however many there are', (t) => {
  t.is(excessOf([{ name: 'web', template: nested(32) }]), undefined);
  for (const levels of [33, 100_000])
    t.is(excessOf([{ name: 'web', template: nested(levels) }]), 'component web: template: has more than 32 levels');
});

test('the characters of all templates are counted together, keys and values alike', (t) => {
  const half = { args: ['x'.repeat(300_000)] };
  t.is(excessOf([{ name: 'db', template: half }]), undefined);
  t.regex(
    excessOf([
      { name: 'db', template: half },
      { name: 'web', template: half },
    ]) ?? '',
    /^component web: template: more than 524288 characters/,
  );
  t.truthy(excessOf([{ name: 'web', template: { ['k'.repeat(600_000)]: 1 } }]));
  t.truthy(excessOf([{ name: 'web', template: { args: Array.from({ length: 300_000 }, () => ({})) } }]));
});
