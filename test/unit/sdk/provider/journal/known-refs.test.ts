import test from 'ava';
import { refsOf, shownRefs } from '../../../../../sdk/provider/journal/known-refs.ts';
import type { Mirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import { anEntry } from '../../../a-workspace.ts';

const record = {
  cluster: '',
  namespace: 'default',
  name: 'shop',
  uid: 'u',
  condition: 'DNS',
  token: 1,
  refs: [{ id: 'mirrored' }],
  requestMs: 0,
};
const mirror: Mirror = { kind: 'own', record };

test('ids are those recorded, learned late and mirrored; once all is gone the mirror is older', (t) => {
  const entry = anEntry({ refs: [{ id: 'a' }], late: [{ id: 'b' }] });
  t.deepEqual(refsOf({ entry, mirror }), [{ id: 'a' }, { id: 'b' }, { id: 'mirrored' }]);
  t.deepEqual(refsOf({ entry: anEntry({ phase: 'gone' }), mirror }), []);
  t.deepEqual(refsOf({ entry: undefined, mirror }), [{ id: 'mirrored' }]);
  t.deepEqual(refsOf({ entry: anEntry({ refs: [{ id: 'a' }], lost: true }), mirror }), [
    { id: 'a' },
    { id: 'mirrored' },
  ]);
});

test('of a workspace that was restored from a backup, those of the earlier one are known too', (t) => {
  const restored: Mirror = { kind: 'predecessor', record };
  t.deepEqual(refsOf({ entry: anEntry({ refs: [{ id: 'a' }] }), mirror: restored }), [{ id: 'a' }, { id: 'mirrored' }]);
});

test('what another writer has written is not an id', (t) => {
  t.deepEqual(refsOf({ entry: undefined, mirror: { kind: 'forged' } }), []);
});

test('an integration is shown what is settled: of an attempt under way, what its entry holds', (t) => {
  const intent = anEntry({ phase: 'intent', refs: [{ id: 'a' }] });
  t.deepEqual(shownRefs({ entry: intent, mirror }), [{ id: 'a' }]);
  for (const entry of [undefined, anEntry({}), anEntry({ phase: 'intent', lost: true })])
    t.deepEqual(shownRefs({ entry, mirror }), [{ id: 'mirrored' }]);
});

test('what an attempt has dropped is not known, though a mirror that could not be written still names it', (t) => {
  const entry = anEntry({ refs: [{ id: 'a' }], dropped: { mirrored: 1, refs: [{ id: 'mirrored' }] } });
  t.deepEqual(refsOf({ entry, mirror }), [{ id: 'a' }]);
  const written: Mirror = { kind: 'own', record: { ...record, token: 2 } };
  t.deepEqual(
    refsOf({ entry, mirror: written }),
    [{ id: 'a' }, { id: 'mirrored' }],
    'a mirror written since says more',
  );
});
