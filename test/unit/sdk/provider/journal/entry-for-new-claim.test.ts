import test from 'ava';
import type { GuardEntry } from '../../../../../sdk/index.ts';
import { entryForNewClaim } from '../../../../../sdk/provider/journal/entry-for-new-claim.ts';
import type { Mirror } from '../../../../../sdk/provider/journal/read-mirror.ts';

const entryOf = (phase: GuardEntry['phase'], more: Partial<GuardEntry> = {}): GuardEntry => ({
  ...{ phase, op: 'create', key: 'ws-a-7', token: 7, holder: 'a', since: '2026-01-01T00:00:00Z' },
  ...more,
});
const key = 'ws-b-0';
const none: Mirror = { kind: 'none' };
const ownWith = (token: number): Mirror => ({
  kind: 'own',
  record: {
    ...{ cluster: 'c', namespace: 'n', name: 'w', uid: 'u', condition: 'Boxes', claim: 'se.quencer.io/boxes' },
    ...{ token, refs: token === 0 ? [] : [{ id: 'b-1' }], requestMs: 0 },
  },
});

test('what was released continues with new keys', (t) =>
  t.deepEqual(entryForNewClaim(entryOf('gone'), { mirror: none, key }), entryOf('gone', { key })));

test('nothing that was begun stays as it is', (t) => {
  const entry = entryOf('none');
  t.is(entryForNewClaim(entry, { mirror: none, key }), entry);
});

for (const mirror of [none, { kind: 'forged' } as const, ownWith(0)])
  test(`objects beside a mirror that is ${mirror.kind === 'own' ? 'blank' : mirror.kind} count as lost`, (t) => {
    const lost = { ambiguous: true, lost: true } as const;
    t.deepEqual(entryForNewClaim(entryOf('done'), { mirror, key }), entryOf('done', { ...lost, op: 'task', key }));
    t.deepEqual(entryForNewClaim(entryOf('intent'), { mirror, key }), entryOf('intent', lost));
    t.deepEqual(entryForNewClaim(entryOf('unknown'), { mirror, key }), entryOf('unknown', lost));
  });

for (const mirror of [ownWith(7), { kind: 'unverified', slots: [] } as Mirror])
  test(`objects that a mirror tells of (${mirror.kind}) are there: only the claim was removed`, (t) => {
    const entry = entryOf('done');
    t.is(entryForNewClaim(entry, { mirror, key }), entry);
  });
