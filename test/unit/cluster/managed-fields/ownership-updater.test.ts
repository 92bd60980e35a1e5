import test from 'ava';
import fc from 'fast-check';
import { equal } from '../../../cluster/apimachinery/object.ts';
import { compare } from '../../../cluster/managed-fields/compare.ts';
import { ConflictError } from '../../../cluster/managed-fields/conflicts.ts';
import { afterApplied, afterWrite, type ManagedWrite } from '../../../cluster/managed-fields/field-manager.ts';
import { difference, intersection, isBare, isSameSet, leaf, union } from '../../../cluster/managed-fields/field-set.ts';
import { fieldSetOf } from '../../../cluster/managed-fields/field-set-of-object.ts';
import type { Managers } from '../../../cluster/managed-fields/managers.ts';
import { mergeApplied } from '../../../cluster/managed-fields/merge.ts';
import type { Members } from '../../../cluster/managed-fields/ownership-updater.ts';
import { reconcileSchemaChange } from '../../../cluster/managed-fields/reconcile-schema-change.ts';
import { removeFields, withNamedFields } from '../../../cluster/managed-fields/remove-fields.ts';
import { checkFits } from '../../../cluster/managed-fields/typed-validation.ts';
import { aThing } from '../fixtures/a-typed-thing.ts';

const word = fc.constantFrom('p', 'q', 'r');
const item = fc.record({ key: word, a: word, b: word }, { requiredKeys: ['key'] });

/** Objects of the test type without empty containers, which the server turns into null. */
const things: fc.Arbitrary<Members> = fc.record(
  {
    name: word,
    count: fc.integer({ min: 0, max: 3 }),
    tags: fc.dictionary(word, word, { minKeys: 1, noNullPrototype: true }),
    whole: fc.dictionary(word, word, { minKeys: 1, noNullPrototype: true }),
    list: fc.array(word, { minLength: 1, maxLength: 3 }),
    set: fc.uniqueArray(word, { minLength: 1 }),
    items: fc.uniqueArray(item, { minLength: 1, selector: ({ key }) => key }),
    deep: fc.oneof(fc.record({ x: word }), fc.record({ y: word }), fc.record({ x: word, y: word })),
  },
  { requiredKeys: [] },
);

const tracked = (manager: string): ManagedWrite => ({
  shape: { type: aThing, blank: {} },
  manager,
  apiVersion: 'example.com/v1',
  at: () => undefined,
  ignored: () => leaf,
  now: '2030-01-01T00:00:00Z',
});

interface State {
  readonly object: Members;
  readonly managers: Managers;
}

const start = (object: Members): State => ({
  object,
  managers: afterWrite(tracked('creator'), { live: undefined, next: object, managers: new Map() }),
});

const applier =
  (manager: string, force = true) =>
  ({ object: live, managers }: State, object: Members): State =>
    afterApplied(tracked(manager), { live, applied: object, managers, force });

const one = applier('one');
const polite = applier('one', false);
const other = applier('other');

const fieldsOf = ({ managers }: State, manager: string) =>
  [...managers.values()].filter((each) => each.manager === manager).map(({ fields }) => fields)[0] ?? leaf;

test('what is merged has all that was applied, and all else as it was', (t) => {
  const rule = fc.property(things, things, (live, config) => {
    const result = mergeApplied(aThing, live, config);
    t.true(equal(mergeApplied(aThing, result, config), result), 'once is as good as twice');
    const { removed: gone, modified } = compare(aThing, live, result);
    t.true(isBare(gone), 'nothing goes');
    t.true(isBare(difference(modified, fieldSetOf(aThing, config))), 'only what was applied changes');
  });
  fc.assert(rule);
});

test('what is compared with itself does not differ, and a difference turned round is the same the other way', (t) => {
  const rule = fc.property(things, things, (a, b) => {
    const same = compare(aThing, a, structuredClone(a));
    t.true([same.removed, same.modified, same.added].every(isBare));
    const [there, back] = [compare(aThing, a, b), compare(aThing, b, a)];
    t.true(isSameSet(there.added, back.removed) && isSameSet(there.modified, back.modified));
    t.true(isBare(intersection(union(there.added, there.removed), there.modified)));
  });
  fc.assert(rule);
});

test('an object without all its fields has none left, and its fields fit its type as they are', (t) => {
  const rule = fc.property(things, (object) => {
    const fields = fieldSetOf(aThing, object);
    t.deepEqual(removeFields(aThing, object, withNamedFields(aThing, fields)), {});
    t.is(reconcileSchemaChange(aThing, fields), fields);
  });
  fc.assert(rule);
});

test('applying the same again changes nothing', (t) => {
  const rule = fc.property(things, things, things, (live, first, theirs) => {
    const before = one(other(start(live), theirs), first);
    const after = polite(before, structuredClone(first));
    t.is(after.object, before.object);
    t.deepEqual([...after.managers], [...before.managers]);
  });
  fc.assert(rule);
});

test('an applier owns what it applied, and a forced one nothing that it did not', (t) => {
  const rule = fc.property(things, things, (live, config) => {
    const after = one(start(live), config);
    t.true(isSameSet(fieldsOf(after, 'one'), fieldSetOf(aThing, config)));
    const left = fieldsOf(after, 'creator');
    const changes = compare(aThing, live, after.object);
    t.true(isBare(intersection(left, changes.modified)), 'what was changed is no longer the former owner’s');
  });
  fc.assert(rule);
});

test('applying nothing removes what one alone owned, and only that', (t) => {
  const rule = fc.property(things, things, (live, config) => {
    const before = start(live);
    const after = one(one(before, config), {});
    t.true(isBare(fieldsOf(after, 'one')));
    const { removed: gone, added } = compare(aThing, live, after.object);
    t.true(isBare(added), 'nothing of it is left');
    const taken = fieldSetOf(aThing, config);
    t.true(isBare(difference(gone, withNamedFields(aThing, taken))), 'nothing else is gone');
  });
  fc.assert(rule);
});

test('a conflict is a field of another manager that would change; without one nothing is refused', (t) => {
  const rule = fc.property(things, things, (live, config) => {
    const before = start(live);
    const { modified, added } = compare(aThing, live, mergeApplied(aThing, live, config));
    const contested = intersection(fieldsOf(before, 'creator'), union(modified, added));
    const attempt = () => polite(before, config);
    if (isBare(contested)) t.notThrows(attempt);
    else {
      const error = t.throws(attempt, { instanceOf: ConflictError });
      t.true(isSameSet(error!.conflicts[0]!.fields, contested));
    }
  });
  fc.assert(rule);
});

test('the manager that updates owns what changed, and no manager owns what is gone', (t) => {
  const rule = fc.property(things, things, (live, next) => {
    const before = start(live);
    const managers = afterWrite(tracked('updater'), { live, next, managers: before.managers });
    const { modified, added } = compare(aThing, live, next);
    t.true(isSameSet(fieldsOf({ object: next, managers }, 'updater'), union(modified, added)));
    const owned = [...managers.values()].map(({ fields }) => fields).reduce(union, leaf);
    t.true(isBare(intersection(owned, compare(aThing, live, next).removed)));
  });
  fc.assert(rule);
});

const misfits: readonly (readonly [Members, string])[] = [
  [{ nope: 1 }, '.nope: field not declared in schema'],
  [{ name: 5 }, '.name: expected string, got &value.valueUnstructured{Value:5}'],
  [{ count: 'x' }, '.count: expected numeric (int or float), got string'],
  [{ tags: 5 }, '.tags: expected map, got &{5}'],
  [{ list: { a: 'b' } }, '.list: expected list, got &{map[a:b]}'],
  [{ set: ['p', 'p'] }, '.set: duplicate entries for key [="p"]'],
  [{ items: [{ key: 'p' }, { key: 'p' }] }, '.items: duplicate entries for key [key="p"]'],
  [{ items: [{ key: 'p', z: 1 }] }, '.items[key="p"].z: field not declared in schema'],
  [{ items: [null] }, '.items: element 0: associative list with keys may not have a null element'],
  [
    { items: [{ a: 'p' }] },
    '.items: element 0: associative list with keys has an element that omits all key fields ["key"] (and doesn\'t have default values for any key fields)',
  ],
  [
    { name: 5, list: 'x' },
    'errors:\n  .name: expected string, got &value.valueUnstructured{Value:5}\n  .list: expected list, got &{x}',
  ],
];

for (const [object, message] of misfits) {
  test(`${JSON.stringify(object)} does not fit: ${message}`, (t) => {
    t.throws(() => checkFits(aThing, object), { message });
  });
}
