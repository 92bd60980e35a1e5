import test from 'ava';
import fc from 'fast-check';
import { canonicalJson } from '../../../../sdk/api/digest.ts';
import {
  type Json,
  mergePatch,
  shapeOf,
  threeWayMerge,
  threeWayPatch,
  unionOfShapes,
} from '../../../../sdk/reconcile/three-way.ts';

const rows: readonly (readonly [title: string, was: Json, current: Json, wanted: Json, next: Json])[] = [
  ['what is wanted is set', {}, { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['what a server has defaulted stays', { a: 1 }, { a: 1, b: 'default' }, { a: 1 }, { a: 1, b: 'default' }],
  ['what is not wanted any more goes', { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }, { a: 1 }, { a: 1, c: 3 }],
  ['what was changed by others is set back', { a: 1 }, { a: 9 }, { a: 1 }, { a: 1 }],
  ['null removes', {}, { a: 1 }, { a: null }, {}],
  [
    'members of members are threeWayMerge',
    { m: { a: 1 } },
    { m: { a: 1, d: 0 } },
    { m: { b: 2 } },
    { m: { d: 0, b: 2 } },
  ],
  [
    'items with names are told apart by them',
    { c: [{ name: 'web', image: 'a' }, { name: 'old' }] },
    { c: [{ name: 'injected' }, { name: 'web', image: 'a', policy: 'Always' }, { name: 'old' }] },
    { c: [{ name: 'web', image: 'b' }] },
    { c: [{ name: 'injected' }, { name: 'web', image: 'b', policy: 'Always' }] },
  ],
  [
    'items with names stand in the order wanted, others behind them',
    {},
    [{ name: 'x' }, { name: 'b' }, { name: 'a' }],
    [{ name: 'a' }, { name: 'b' }],
    [{ name: 'a' }, { name: 'b' }, { name: 'x' }],
  ],
  [
    'items that have numbers for names keep their order, too',
    {},
    [{ name: 'b' }, { name: '1' }],
    [{ name: 'b', x: 1 }, { name: '1' }, { name: '0' }],
    [{ name: 'b', x: 1 }, { name: '1' }, { name: '0' }],
  ],
  [
    'items without names are told apart by their place',
    { ports: [{ port: 80, node: 1 }] },
    { ports: [{ port: 80, node: 1, protocol: 'TCP' }] },
    { ports: [{ port: 80 }] },
    { ports: [{ port: 80, protocol: 'TCP' }] },
  ],
  ['lists of values are taken as they are', { l: [1, 2] }, { l: [1, 2, 3] }, { l: [2] }, { l: [2] }],
];

for (const [title, was, current, wanted, next] of rows)
  test(title, (t) => t.deepEqual(threeWayMerge(shapeOf(was), current, wanted), next));

const json = fc.letrec<{ value: Json; members: Json }>((tie) => ({
  members: fc.dictionary(fc.constantFrom('a', 'b', 'name', '__proto__'), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.nat(3),
    fc.constant('x'),
    tie('members'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** Merge patch, after the pseudocode of RFC 7396. */
const patched = (target: Json | undefined, patch: Json): Json => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result = new Map<string, Json>(isObject ? Object.entries(target as object) : []);
  for (const [name, value] of Object.entries(patch))
    if (value === null) result.delete(name);
    else result.set(name, patched(result.get(name), value));
  return Object.fromEntries(result);
};

test('whatever there was: threeWayMerge once, there is nothing more to do', (t) => {
  fc.assert(
    fc.property(json.members, json.members, json.members, (was, current, wanted) => {
      const next = threeWayMerge(shapeOf(was), current, wanted);
      t.is(canonicalJson(threeWayMerge(shapeOf(wanted), next, wanted)), canonicalJson(next));
    }),
  );
});

test('whatever there was: the merge patch makes of it what is to be', (t) => {
  fc.assert(
    fc.property(json.members, json.members, (current, next) => {
      const patch = mergePatch(current, next);
      t.is(canonicalJson(patch === undefined ? current : patched(current, patch)), canonicalJson(next));
    }),
  );
});

test('whatever there was: there is a change just when merging makes a difference, and it is that one', (t) => {
  const check = (was: Json | undefined, current: Json, wanted: Json): void => {
    const applied = was === undefined ? undefined : shapeOf(was);
    const next = threeWayMerge(applied, current, wanted);
    const patch = mergePatch(current, next);
    t.deepEqual(threeWayPatch(applied, current, wanted), patch === undefined ? undefined : { next, patch });
  };
  const named = fc.array(
    fc.record({ name: fc.constantFrom('a', 'b', '1', '0'), x: json.value }, { requiredKeys: [] }),
    {
      maxLength: 3,
    },
  );
  const any = fc.oneof(json.members, json.value, named);
  fc.assert(
    fc.property(fc.option(any, { nil: undefined }), any, any, (was, current, wanted) => {
      const next = threeWayMerge(undefined, current, wanted);
      check(was, current, wanted);
      check(was, next, wanted);
      check(wanted, next, wanted);
      check(was, current, current);
    }),
    { numRuns: 1000 },
  );
});

test('a shape holds no values', (t) => {
  t.deepEqual(shapeOf({ a: 'secret', l: ['secret'], c: [{ name: 'web', value: 'secret' }] }), {
    a: 1,
    l: 1,
    c: { web: { name: 1, value: 1 } },
  });
});

test('two shapes unite', (t) => {
  t.deepEqual(unionOfShapes({ a: 1, m: { x: 1 } }, { m: { y: 1 }, b: 1 }), { a: 1, b: 1, m: { x: 1, y: 1 } });
});
