import test from 'ava';
import { refsWithout, sameRefs, unionOf } from '../../../../../sdk/provider/journal/ref-sets.ts';

test('a union holds every id once', (t) =>
  t.deepEqual(unionOf([{ a: 1 }, { b: 1 }], [{ b: 1 }, { c: 1 }]), [{ a: 1 }, { b: 1 }, { c: 1 }]));

test('a server that puts members into another order has not made another id', (t) => {
  t.deepEqual(unionOf([{ name: 'a', zone: 'z' }], [{ zone: 'z', name: 'a' }]), [{ name: 'a', zone: 'z' }]);
  t.true(sameRefs([{ id: { b: 1, a: 2 } }], [{ id: { a: 2, b: 1 } }]));
});

test('an id with a member id is known by that and its slot, whatever else it holds', (t) => {
  t.deepEqual(
    refsWithout(
      [
        { id: 1, hash: 'x' },
        { id: 1, slot: 'a' },
      ],
      [{ id: 1, hash: 'y' }],
    ),
    [{ id: 1, slot: 'a' }],
  );
  t.true(sameRefs([{ id: 1, hash: 'x' }], [{ id: 1, hash: 'y' }]));
  t.false(sameRefs([{ id: 1 }], [{ id: 1 }, { id: 2 }]));
  t.false(sameRefs([{ id: 1, owner: 'former' }], [{ id: 1 }]), 'marked anew since');
});
