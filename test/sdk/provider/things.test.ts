import test from 'ava';
import fc from 'fast-check';
import {
  asRefs,
  hashOf,
  isAsWanted,
  nextChange,
  placed,
  slotted,
  type Thing,
  thingsOf,
  withoutThing,
  withThing,
} from '../../../sdk/provider/things.ts';

interface Wanted {
  readonly name: string;
  readonly size: number;
}
const nameOf = ({ name }: Wanted): string => name;
const thing = (slot: string, size: number, more: Partial<Thing> = {}): Thing => ({
  slot,
  id: { id: slot },
  hash: hashOf({ name: slot, size }),
  ...more,
});
const said = (wanted: readonly Wanted[], things: readonly Thing[], canUpdate = true): string => {
  const change = nextChange(slotted(wanted, nameOf), things, canUpdate);
  return change === undefined
    ? 'nothing'
    : `${change.op} ${change.op === 'create' ? change.target.slot : change.thing.slot}`;
};
const a = { name: 'a', size: 1 };
const b = { name: 'b', size: 1 };

const cases: readonly (readonly [title: string, said: string, expected: string])[] = [
  ['what is as wanted is left alone', said([a], [thing('a', 1)]), 'nothing'],
  ['what is missing is made in the order wanted', said([a, b], []), 'create a'],
  ['and one after the other', said([a, b], [thing('a', 1)]), 'create b'],
  ['what differs is changed', said([a], [thing('a', 2)]), 'update a'],
  ['or goes, where it cannot be changed', said([a], [thing('a', 2)], false), 'delete a'],
  ['what nobody wants goes, the last made first', said([], [thing('a', 1), thing('b', 1)]), 'delete b'],
  [
    'of two of one slot the first one learned of goes',
    said([a], [thing('a', 1, { id: { id: 2 } }), thing('a', 1)]),
    'delete a',
  ],
  [
    'what is going is asked for again before anything else',
    said([a, b], [thing('a', 1, { state: 'going' })]),
    'delete a',
  ],
  ['what is still being made is not changed meanwhile', said([a], [thing('a', 2, { state: 'making' })]), 'nothing'],
];
for (const [title, is, expected] of cases) test(title, (t) => t.is(is, expected));

test('carrying out one change after the other always arrives, whatever there was and whatever is wanted', (t) => {
  const wanted = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), size: fc.integer({ min: 0, max: 3 }) }),
    { selector: nameOf },
  );
  fc.assert(
    fc.property(wanted, wanted, fc.boolean(), (before, after, canUpdate) => {
      let things: readonly Thing[] = before.map(({ name, size }) => thing(name, size));
      for (let step = 0; step < 20; step += 1) {
        const change = nextChange(slotted(after, nameOf), things, canUpdate);
        if (change === undefined) break;
        if (change.op === 'delete') things = withoutThing(things, change.thing);
        else {
          const id = change.op === 'update' ? change.thing.id : { made: step };
          things = withThing(things, { slot: change.target.slot, id, hash: change.target.hash });
        }
      }
      const sorted = (pairs: readonly (readonly [string, string])[]) => pairs.map((pair) => pair.join()).sort();
      t.deepEqual(
        sorted(things.map(({ slot, hash }) => [slot, hash])),
        sorted(after.map((one) => [one.name, hashOf(one)])),
      );
    }),
  );
});

test('several without a name, or two of one name, are refused', (t) => {
  t.throws(() => slotted([a, b], undefined), { instanceOf: TypeError, message: /no nameOf/ });
  t.throws(() => slotted([a, { ...a }], nameOf), { message: 'two things named "a" are wanted' });
  t.is(slotted([a], undefined)[0]?.slot, '');
});

test('members in another order are the same', (t) => {
  t.is(hashOf({ a: 1, b: [{ c: 1, d: undefined }] }), hashOf({ b: [{ c: 1 }], a: 1 }));
  t.not(hashOf({ a: 1 }), hashOf({ a: 2 }));
});

test('only what could be read is compared', (t) => {
  t.true(isAsWanted(a, { size: 1 }));
  t.true(isAsWanted(a, {}));
  t.false(isAsWanted(a, { size: 2 }));
});

test('ids that are no things are passed over, the last word about an id counts', (t) => {
  t.deepEqual(thingsOf([{ record: 1 }, { ...thing('a', 1) }, { ...thing('a', 2) }]), [thing('a', 2)]);
});

test('an id that a person has named becomes the only thing that is missing, and is changed to what is wanted', (t) => {
  const a: Thing = { slot: 'a', id: { id: 1 }, hash: 'x' };
  const wanted = [
    { slot: 'a', hash: 'x' },
    { slot: 'b', hash: 'y' },
  ];
  const several = { wanted, single: false, canUpdate: true, named: false };
  t.deepEqual(placed([...asRefs([a]), { id: 2 }], several), [a, { slot: 'b', id: { id: 2 }, hash: '' }]);
  const fixed = { ...several, canUpdate: false };
  t.deepEqual(placed([...asRefs([a]), { id: 2 }], fixed)[1], { slot: 'b', id: { id: 2 }, hash: 'y' });
  const single = { wanted: [], single: true, canUpdate: true, named: false };
  t.deepEqual(placed([{ id: 2 }], single), [{ slot: '', id: { id: 2 }, hash: '' }]);
});

test('an id that a person has named is never passed over: what has no place is taken away, what is known is known', (t) => {
  const only: Thing = { slot: '', id: { id: 1 }, hash: 'x' };
  const single = { wanted: [{ slot: '', hash: 'x' }], single: true, canUpdate: true, named: false };
  t.deepEqual(placed([...asRefs([only]), { id: 1 }], single), [only]);
  const [, second] = thingsOf(placed([...asRefs([only]), { id: 2 }], single));
  t.like(second, { slot: '{"id":2}', id: { id: 2 } });
});

test('a late second id of a slot is not hidden by the first; only of a name there is never more than one', (t) => {
  const [first, second] = [thing('a', 1), thing('a', 1, { id: { id: 'late' } })];
  t.deepEqual(thingsOf(asRefs([first, second])), [first, second]);
  const wanted = slotted([a], nameOf);
  t.like(nextChange(wanted, [first, second], true), { op: 'delete', thing: first });
  const places = { wanted, single: false, canUpdate: true, named: true };
  t.deepEqual(placed(asRefs([first, second]), places), asRefs([second]));
  t.is(placed(asRefs([first, second]), { ...places, named: false }).length, 2);
});

test('several ids that a person has named by slot each find their place', (t) => {
  const wanted = slotted([a, b], nameOf);
  const told = [
    { slot: 'b', id: 'two' },
    { slot: 'a', id: { id: 'one' } },
  ];
  const places = { wanted, single: false, canUpdate: false, named: false };
  t.is(nextChange(wanted, thingsOf(placed(told, places)), false), undefined);
  t.deepEqual(
    thingsOf(placed(told, { ...places, canUpdate: true })).map(({ slot, id, hash }) => [slot, id, hash]),
    [
      ['b', { id: 'two' }, ''],
      ['a', { id: 'one' }, ''],
    ],
  );
});
