import test from 'ava';
import fc from 'fast-check';
import {
  asRefs,
  assignSlots,
  type ExternalObject,
  externalObjectsOf,
  wantedHash,
  withObject,
  withoutObject,
} from '../../../../../sdk/provider/journal/external-objects.ts';
import { isUpToDate, nextChange, wantedObjects } from '../../../../../sdk/provider/journal/next-object-change.ts';

interface Wanted {
  readonly name: string;
  readonly size: number;
}
const nameOf = ({ name }: Wanted): string => name;
const object = (slot: string, size: number, more: Partial<ExternalObject> = {}): ExternalObject => ({
  slot,
  id: { id: slot },
  hash: wantedHash({ name: slot, size }),
  ...more,
});
const said = (wanted: readonly Wanted[], objects: readonly ExternalObject[], canUpdate = true): string => {
  const change = nextChange(wantedObjects(wanted, nameOf), objects, canUpdate);
  return change === undefined
    ? 'nothing'
    : `${change.op} ${change.op === 'create' ? change.target.slot : change.object.slot}`;
};
const a = { name: 'a', size: 1 };
const b = { name: 'b', size: 1 };

const cases: readonly (readonly [title: string, said: string, expected: string])[] = [
  ['what is as wanted is left alone', said([a], [object('a', 1)]), 'nothing'],
  ['what is missing is made in the order wanted', said([a, b], []), 'create a'],
  ['and one after the other', said([a, b], [object('a', 1)]), 'create b'],
  ['what differs is changed', said([a], [object('a', 2)]), 'update a'],
  ['or goes, where it cannot be changed', said([a], [object('a', 2)], false), 'delete a'],
  ['what is not wanted goes, the last made first', said([], [object('a', 1), object('b', 1)]), 'delete b'],
  [
    'of two of one slot the first one learned of goes',
    said([a], [object('a', 1, { id: { id: 2 } }), object('a', 1)]),
    'delete a',
  ],
  [
    'what is going is asked for again before anything else',
    said([a, b], [object('a', 1, { state: 'going' })]),
    'delete a',
  ],
  ['what is still being made is not changed meanwhile', said([a], [object('a', 2, { state: 'making' })]), 'nothing'],
];
for (const [title, is, expected] of cases) test(title, (t) => t.is(is, expected));

test('carrying out one change after the other always arrives, whatever there was and whatever is wanted', (t) => {
  const wanted = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), size: fc.integer({ min: 0, max: 3 }) }),
    { selector: nameOf },
  );
  fc.assert(
    fc.property(wanted, wanted, fc.boolean(), (before, after, canUpdate) => {
      let objects: readonly ExternalObject[] = before.map(({ name, size }) => object(name, size));
      for (let step = 0; step < 20; step += 1) {
        const change = nextChange(wantedObjects(after, nameOf), objects, canUpdate);
        if (change === undefined) break;
        if (change.op === 'delete') objects = withoutObject(objects, change.object);
        else {
          const id = change.op === 'update' ? change.object.id : { made: step };
          objects = withObject(objects, { slot: change.target.slot, id, hash: change.target.hash });
        }
      }
      const sorted = (pairs: readonly (readonly [string, string])[]) => pairs.map((pair) => pair.join()).sort();
      t.deepEqual(
        sorted(objects.map(({ slot, hash }) => [slot, hash])),
        sorted(after.map((one) => [one.name, wantedHash(one)])),
      );
    }),
  );
});

test('several without a name, or two of one name, are refused', (t) => {
  t.throws(() => wantedObjects([a, b], undefined), { instanceOf: TypeError, message: /no nameOf/ });
  t.throws(() => wantedObjects([a, { ...a }], nameOf), { message: 'two objects named "a" are wanted' });
  t.is(wantedObjects([a], undefined)[0]?.slot, '');
});

test('members in another order are the same', (t) => {
  t.is(wantedHash({ a: 1, b: [{ c: 1, d: undefined }] }), wantedHash({ b: [{ c: 1 }], a: 1 }));
  t.not(wantedHash({ a: 1 }), wantedHash({ a: 2 }));
});

test('only what could be read is compared', (t) => {
  t.true(isUpToDate(a, { size: 1 }));
  t.true(isUpToDate(a, {}));
  t.false(isUpToDate(a, { size: 2 }));
});

test('ids that are not things are passed over, the last word about an id counts', (t) => {
  t.deepEqual(externalObjectsOf([{ record: 1 }, { ...object('a', 1) }, { ...object('a', 2) }]), [object('a', 2)]);
});

test('an id that a person has named becomes the only thing that is missing, and is changed to what is wanted', (t) => {
  const a: ExternalObject = { slot: 'a', id: { id: 1 }, hash: 'x' };
  const wanted = [
    { slot: 'a', hash: 'x' },
    { slot: 'b', hash: 'y' },
  ];
  const several = { wanted, isSingleton: false, canUpdate: true, hasUniqueNames: false };
  t.deepEqual(assignSlots([...asRefs([a]), { id: 2 }], several), [a, { slot: 'b', id: { id: 2 }, hash: '' }]);
  const fixed = { ...several, canUpdate: false };
  t.deepEqual(assignSlots([...asRefs([a]), { id: 2 }], fixed)[1], { slot: 'b', id: { id: 2 }, hash: 'y' });
  const single = { wanted: [], isSingleton: true, canUpdate: true, hasUniqueNames: false };
  t.deepEqual(assignSlots([{ id: 2 }], single), [{ slot: '', id: { id: 2 }, hash: '' }]);
});

test('an id that a person has named is never passed over: what has no place is removed, what is known is known', (t) => {
  const only: ExternalObject = { slot: '', id: { id: 1 }, hash: 'x' };
  const single = { wanted: [{ slot: '', hash: 'x' }], isSingleton: true, canUpdate: true, hasUniqueNames: false };
  t.deepEqual(assignSlots([...asRefs([only]), { id: 1 }], single), [only]);
  const [, second] = externalObjectsOf(assignSlots([...asRefs([only]), { id: 2 }], single));
  t.like(second, { slot: '{"id":2}', id: { id: 2 } });
});

test('a late second id of a slot is not hidden by the first; only of a name there is never more than one', (t) => {
  const [first, second] = [object('a', 1), object('a', 1, { id: { id: 'late' } })];
  t.deepEqual(externalObjectsOf(asRefs([first, second])), [first, second]);
  const wanted = wantedObjects([a], nameOf);
  t.like(nextChange(wanted, [first, second], true), { op: 'delete', object: first });
  const places = { wanted, isSingleton: false, canUpdate: true, hasUniqueNames: true };
  t.deepEqual(assignSlots(asRefs([first, second]), places), asRefs([second]));
  t.is(assignSlots(asRefs([first, second]), { ...places, hasUniqueNames: false }).length, 2);
});

test('several ids that a person has named by slot each find their place', (t) => {
  const wanted = wantedObjects([a, b], nameOf);
  const told = [
    { slot: 'b', id: 'two' },
    { slot: 'a', id: { id: 'one' } },
  ];
  const places = { wanted, isSingleton: false, canUpdate: false, hasUniqueNames: false };
  t.is(nextChange(wanted, externalObjectsOf(assignSlots(told, places)), false), undefined);
  t.deepEqual(
    externalObjectsOf(assignSlots(told, { ...places, canUpdate: true })).map(({ slot, id, hash }) => [slot, id, hash]),
    [
      ['b', { id: 'two' }, ''],
      ['a', { id: 'one' }, ''],
    ],
  );
});
