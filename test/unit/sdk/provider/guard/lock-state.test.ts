import test from 'ava';
import fc from 'fast-check';
import { type LockStateInput, lockStateOf } from '../../../../../sdk/provider/guard/lock-state.ts';
import { anEntry } from '../../../a-workspace.ts';

const question = (more: Partial<LockStateInput>): LockStateInput => ({
  entry: undefined,
  own: false,
  unchangedFor: 0,
  lease: 10_000,
  maxRequest: 2_000,
  ...more,
});
const intent = anEntry({ phase: 'intent', leaseSeconds: 30 });

test('a missing entry is lost, however fresh the claim: only a note says that nothing was begun, and that for ever', (t) => {
  t.deepEqual(lockStateOf(question({ entry: anEntry({ phase: 'none' }), unchangedFor: 1e9 })), { kind: 'free' });
  t.deepEqual(lockStateOf(question({})), { kind: 'busy', retryAfter: 22_000 });
  t.deepEqual(lockStateOf(question({ unchangedFor: 22_000 })), { kind: 'lost' });
});

test('G2: another holder is left alone for its own lease and the quarantine', (t) => {
  t.deepEqual(lockStateOf(question({ entry: intent, unchangedFor: 30_000 })), { kind: 'busy', retryAfter: 12_000 });
  t.deepEqual(lockStateOf(question({ entry: intent, unchangedFor: 42_000 })), { kind: 'dead' });
});

test('another holder with a lease of years is left alone for an hour', (t) => {
  const forged = anEntry({ phase: 'intent', leaseSeconds: 2 ** 31 - 1 });
  t.deepEqual(lockStateOf(question({ entry: forged, unchangedFor: 3_612_000 })), { kind: 'dead' });
});

test('our own ended attempt waits only as long as its last request may live', (t) => {
  t.deepEqual(lockStateOf(question({ entry: intent, own: true, unchangedFor: 1_999.5 })), {
    kind: 'busy',
    retryAfter: 1,
  });
  t.deepEqual(lockStateOf(question({ entry: intent, own: true, unchangedFor: 2_000 })), { kind: 'dead' });
});

test('what has come to an end is free, what waits for a person is not', (t) => {
  for (const phase of ['done', 'failed', 'gone'] as const)
    t.deepEqual(lockStateOf(question({ entry: anEntry({ phase }) })), { kind: 'free' });
  t.deepEqual(lockStateOf(question({ entry: anEntry({ phase: 'unknown' }), unchangedFor: 1e9 })), { kind: 'unknown' });
});

test('waiting as long as told is always enough, and never less', (t) => {
  const anyQuestion = fc.record({
    entry: fc.constantFrom(undefined, intent),
    own: fc.boolean(),
    unchangedFor: fc.integer({ min: 0, max: 100_000 }),
    lease: fc.integer({ min: 1, max: 60_000 }),
    maxRequest: fc.integer({ min: 0, max: 60_000 }),
  });
  fc.assert(
    fc.property(anyQuestion, (asked) => {
      const hold = lockStateOf(question(asked));
      if (hold.kind !== 'busy') return;
      t.not(lockStateOf(question({ ...asked, unchangedFor: asked.unchangedFor + hold.retryAfter })).kind, 'busy');
      t.is(lockStateOf(question({ ...asked, unchangedFor: asked.unchangedFor + hold.retryAfter - 1 })).kind, 'busy');
    }),
  );
});
