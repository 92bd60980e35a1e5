import test from 'ava';
import { messageOf } from '../../../cluster/apimachinery/field-error.ts';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createRuleCheck } from '../../../cluster/crd/evaluate-validation-rules.ts';
import type { Structural, ValidationRule } from '../../../cluster/schema/structural.ts';
import { aWorkspace } from '../fixtures/a-workspace.ts';

const workspace = createRuleCheck(aWorkspace);
const faults = (object: Fields, old?: Fields): readonly string[] =>
  [...workspace(object, old, 'object')].map(messageOf);
const spec = (fields: Fields): Fields => ({ spec: { owner: 'alice', replicas: 1, ...fields } });

test('a rule that does not hold gives its message', (t) => {
  t.deepEqual(faults(spec({ minReplicas: 5 })), [
    'spec: Invalid value: "object": minReplicas must not exceed replicas',
  ]);
  t.deepEqual(faults(spec({ minReplicas: 1 })), []);
});

test('a transition rule compares with the former value, where there is one', (t) => {
  const old = spec({ region: 'eu' });
  t.deepEqual(faults(spec({ region: 'us' }), old), ['spec.region: Invalid value: "string": region is immutable']);
  t.deepEqual(faults(spec({ region: 'eu', size: 'large' }), old), []);
  t.deepEqual(faults(spec({}), old), []);
  t.deepEqual(faults(old), []);
});

test('what was wrong before and has not changed passes', (t) => {
  const old = spec({ minReplicas: 5 });
  const again = [...workspace({ ...old, status: { count: 1 } }, old, 'object')];
  t.deepEqual(
    again.map(({ field, tolerated }) => [field, tolerated]),
    [['spec', true]],
  );
  t.is(faults(spec({ minReplicas: 6 }), old).length, 1);
});

const holder = (rule: ValidationRule, properties: Structural['properties']): Structural => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: properties!, 'x-kubernetes-validations': [rule] } },
});
const check = (rule: ValidationRule, properties: Structural['properties'], value: Fields): readonly string[] =>
  [...createRuleCheck(holder(rule, properties))({ spec: value }, undefined, 'object')].map(messageOf);

const integers = { a: { type: 'integer' }, b: { type: 'integer' } };

test('a rule says where, why and in which words', (t) => {
  const rule: ValidationRule = {
    rule: 'self.a < self.b',
    messageExpression: "self.a > 5 ? 'a is big' : 'a is small'",
    reason: 'FieldValueForbidden',
    fieldPath: '.b',
  };
  t.deepEqual(check(rule, integers, { a: 3, b: 2 }), ['spec.b: Forbidden: a is small']);
  t.deepEqual(check(rule, integers, { a: 3 }), [
    'spec: Invalid value: "object": no such key: b evaluating rule: self.a < self.b',
  ]);
  t.deepEqual(check({ rule: 'self.a == 1' }, integers, { a: 2 }), [
    'spec: Invalid value: "object": failed rule: self.a == 1',
  ]);
});

const text = { s: { type: 'string' }, l: { type: 'array', items: { type: 'integer' } }, 'a-b': { type: 'string' } };
const expressions: readonly (readonly [string, Fields, boolean])[] = [
  ["self.s.matches('^a+$')", { s: 'aa' }, true],
  ["self.s.find('[0-9]+') == '12'", { s: 'x12y' }, true],
  ["self.s.replace('a', 'b') == 'bb'", { s: 'aa' }, true],
  ["quantity(self.s).isLessThan(quantity('1Gi'))", { s: '500Mi' }, true],
  ['isQuantity(self.s)', { s: 'x' }, false],
  ['isURL(self.s)', { s: 'https://example.com/a' }, true],
  ['self.l.isSorted() && self.l.sum() == 6', { l: [1, 2, 3] }, true],
  ['self.l.max() == 3 && self.l.indexOf(2) == 1', { l: [1, 2, 3] }, true],
  ["self.a__dash__b == 'x'", { 'a-b': 'x' }, true],
  ['self.l.all(x, x > 1)', { l: [1] }, false],
];

for (const [rule, value, holds] of expressions) {
  test(`${rule} ${holds ? 'holds' : 'does not hold'} for ${JSON.stringify(value)}`, (t) => {
    t.is(check({ rule }, text, value).length, holds ? 0 : 1);
  });
}

test('rules of a resource see its name but no other metadata', (t) => {
  const root = (rule: string): Structural => ({ type: 'object', 'x-kubernetes-validations': [{ rule }] });
  const object = { metadata: { name: 'a', labels: { x: 'y' } } };
  const told = (rule: string) => [...createRuleCheck(root(rule))(object, undefined, 'object')].map(messageOf);
  t.deepEqual(told("self.metadata.name == 'a'"), []);
  t.regex(told('has(self.metadata.labels)').join(), /undefined field 'labels'/);
});

test('an optional former value is there from the second write on', (t) => {
  const rule: ValidationRule = { rule: 'oldSelf.hasValue() || self.a == 1', optionalOldSelf: true };
  const run = createRuleCheck(holder(rule, integers));
  t.is([...run({ spec: { a: 2 } }, undefined, 'object')].length, 1);
  t.is([...run({ spec: { a: 2 } }, { spec: { a: 1 } }, 'object')].length, 0);
});
