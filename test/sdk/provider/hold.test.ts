import test from 'ava';
import fc from 'fast-check';
import { type HoldQuestion, holdOf } from '../../../sdk/provider/hold.ts';
import { anEntry } from '../../a-workspace.ts';

const question = (more: Partial<HoldQuestion>): HoldQuestion => ({
  entry: undefined,
  own: false,
  unmovedFor: 0,
  lease: 10_000,
  maxRequest: 2_000,
  ...more,
});
const intent = anEntry({ phase: 'intent', leaseSeconds: 30 });

test('a missing entry is lost, however fresh the claim: only a note says that nothing was begun, and that for ever', (t) => {
  t.deepEqual(holdOf(question({ entry: anEntry({ phase: 'none' }), unmovedFor: 1e9 })), { kind: 'free' });
  t.deepEqual(holdOf(question({})), { kind: 'busy', retryAfter: 22_000 });
  t.deepEqual(holdOf(question({ unmovedFor: 22_000 })), { kind: 'lost' });
});

test('G2: another holder is left alone for its own lease and the quarantine', (t) => {
  t.deepEqual(holdOf(question({ entry: intent, unmovedFor: 30_000 })), { kind: 'busy', retryAfter: 12_000 });
  t.deepEqual(holdOf(question({ entry: intent, unmovedFor: 42_000 })), { kind: 'dead' });
});

test('our own ended attempt waits only as long as its last request may live', (t) => {
  t.deepEqual(holdOf(question({ entry: intent, own: true, unmovedFor: 1_999.5 })), { kind: 'busy', retryAfter: 1 });
  t.deepEqual(holdOf(question({ entry: intent, own: true, unmovedFor: 2_000 })), { kind: 'dead' });
});

test('what has come to an end is free, what waits for a person is not', (t) => {
  for (const phase of ['done', 'failed', 'gone'] as const)
    t.deepEqual(holdOf(question({ entry: anEntry({ phase }) })), { kind: 'free' });
  t.deepEqual(holdOf(question({ entry: anEntry({ phase: 'unknown' }), unmovedFor: 1e9 })), { kind: 'unknown' });
});

test('waiting as long as told is always enough, and never less', (t) => {
  const anyQuestion = fc.record({
    entry: fc.constantFrom(undefined, intent),
    own: fc.boolean(),
    unmovedFor: fc.integer({ min: 0, max: 100_000 }),
    lease: fc.integer({ min: 1, max: 60_000 }),
    maxRequest: fc.integer({ min: 0, max: 60_000 }),
  });
  fc.assert(
    fc.property(anyQuestion, (asked) => {
      const hold = holdOf(question(asked));
      if (hold.kind !== 'busy') return;
      t.not(holdOf(question({ ...asked, unmovedFor: asked.unmovedFor + hold.retryAfter })).kind, 'busy');
      t.is(holdOf(question({ ...asked, unmovedFor: asked.unmovedFor + hold.retryAfter - 1 })).kind, 'busy');
    }),
  );
});
