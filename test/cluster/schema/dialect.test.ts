import test from 'ava';
import { messageOf } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { inDialect } from './dialect.ts';
import { ruleProblems } from './rule-compile.ts';
import { ruleCheck } from './rules.ts';
import type { Structural } from './structural.ts';

const readings: readonly (readonly [expression: string, reading: string])[] = [
  ['has(self.a.b)', 'has(self.a.b)'],
  ['has(self.list[0].a)', '[self.list[0]].exists(one__, has(one__.a))'],
  ['has(self.list[0].a.b) && true', '[self.list[0].a].exists(one__, has(one__.b)) && true'],
  ['has(self.map["has(a[0].b)"].c)', '[self.map["has(a[0].b)"]].exists(one__, has(one__.c))'],
  ['"has(a[0].b)" == self', '"has(a[0].b)" == self'],
  ['has(f(x, y).a)', '[f(x, y)].exists(one__, has(one__.a))'],
  ['self.phash(1)', 'self.phash(1)'],
  ['has(a.b) && a.b.matches(".matches(")', 'has(a.b) && a.b.matchesGo(".matches(")'],
];
for (const [expression, reading] of readings)
  test(`${expression} is read as ${reading}`, (t) => {
    t.is(inDialect(expression), reading);
  });

const schema: Structural = {
  type: 'object',
  properties: {
    matches: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } },
  },
  'x-kubernetes-validations': [
    { rule: 'size(self.matches) != 1 || has(self.matches[0].path)', message: 'a path must be there' },
  ],
};

test('a rule may ask whether an element has a field', (t) => {
  const faults = (value: Fields) => [...ruleCheck(schema)(value, undefined, 'object')].map(messageOf);
  t.deepEqual(faults({ matches: [{ path: '/' }] }), []);
  t.deepEqual(faults({ matches: [] }), []);
  t.deepEqual(faults({ matches: [{}] }), ['<nil>: Invalid value: "object": a path must be there']);
});

test('such a rule compiles', (t) => {
  const versions = [{ name: 'v1', schema: { openAPIV3Schema: schema } }];
  t.deepEqual([...ruleProblems({ spec: { versions } })], []);
});
