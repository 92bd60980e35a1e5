import test from 'ava';
import fc from 'fast-check';
import { type Ref, SecretRegistry } from '../../../../../sdk/index.ts';
import {
  lockedReason,
  type OutcomeInput,
  outcomeDecisionOf,
  unknownReason,
} from '../../../../../sdk/provider/guard/outcome-decision.ts';
import { anEntry } from '../../../a-workspace.ts';

const held = (entry = {}) => ({ entry: anEntry({ phase: 'intent', ...entry }), acquired: 0 });
const returned = (status: 'Completed' | 'Terminated', refs: readonly Ref[] = []): OutcomeInput => ({
  ending: { kind: 'returned', outcome: { status, reason: 'r' }, refs },
  recoverable: false,
});
const failed = (kind: 'definite' | 'ambiguous' | 'throttled', recoverable = false): OutcomeInput => ({
  ending: { kind, error: new Error('why'), refs: [] },
  recoverable,
});

const cases: readonly (readonly [title: string, end: OutcomeInput, entry: object, phase: string, status: string])[] = [
  ['what returned is done', returned('Completed'), {}, 'done', 'Completed'],
  ['what was terminated is gone', returned('Terminated'), {}, 'gone', 'Terminated'],
  ['a definite failure is an Error', failed('definite'), {}, 'failed', 'Error'],
  ['a throttled one waits', failed('throttled'), {}, 'failed', 'Waiting'],
  ['an ambiguous one stays open where it can be found', failed('ambiguous', true), {}, 'intent', 'Locked'],
  ['an ambiguous one waits for a person where it cannot', failed('ambiguous'), {}, 'unknown', 'Unknown'],
  [
    'a definite failure after an ambiguous one settles nothing',
    failed('definite', true),
    { ambiguous: true },
    'intent',
    'Locked',
  ],
  ['a throttled one after an ambiguous one neither', failed('throttled'), { ambiguous: true }, 'unknown', 'Unknown'],
];
for (const [title, end, entry, phase, status] of cases) {
  test(title, (t) => {
    const settlement = outcomeDecisionOf(held(entry), end, []);
    t.is(settlement.entry.phase, phase as never);
    t.is(settlement.status, status as never);
  });
}

test('no id that is known is ever dropped before something returned without it', (t) => {
  const refs = fc.array(fc.record({ id: fc.integer({ min: 0, max: 5 }) }), { maxLength: 4 });
  fc.assert(
    fc.property(refs, refs, refs, (before, learned, late) => {
      for (const end of [{ ...failed('ambiguous'), refs: learned }, returned('Completed', [...before, ...learned])]) {
        const { entry } = outcomeDecisionOf(held({ refs: before }), end, late);
        const kept = new Set([...(entry.refs ?? []), ...(entry.late ?? [])].map((ref) => JSON.stringify(ref)));
        for (const ref of late) t.true(kept.has(JSON.stringify(ref)));
      }
    }),
  );
});

test('what a person is reported names operation, holder and time', (t) => {
  t.regex(
    unknownReason(anEntry({ since: '2026-01-01T00:00:00Z' }), 'timeout'),
    /"create" \(key ws-0+-1\).*timeout; held by one\/a since 2026-01-01T00:00:00Z\. .* answers: sequencer resolve$/,
  );
});

test('what a person is reported says how to answer, however long the cause is', (t) => {
  const ending = { kind: 'ambiguous', error: new Error('x'.repeat(5_000)), refs: [] } as const;
  const { status, reason } = outcomeDecisionOf(held(), { ending, recoverable: false }, []);
  t.is(status, 'Unknown');
  t.true(reason.length <= 1024);
  t.regex(reason, /answers: sequencer resolve$/);
});

test('what is under way names its end, however long the reason is', (t) => {
  const end = Date.parse('2026-01-01T00:05:00Z');
  t.is(lockedReason('creating box a', end), 'creating box a, until 2026-01-01T00:05:00Z at the latest');
  const long = lockedReason('x'.repeat(5_000), end);
  t.true(long.length <= 1_024);
  t.true(long.endsWith(', until 2026-01-01T00:05:00Z at the latest'));
});

test('a secret that is cut within a reason is taken out of it', (t) => {
  const secret = 'hunter2-but-much-longer-than-that';
  const secrets = new SecretRegistry();
  secrets.add(secret);
  for (let before = 470; before < 1024; before += 1) {
    const why = `${'x'.repeat(before)} ${secret} ${'y'.repeat(1024)}`;
    t.notRegex(secrets.redact(unknownReason(anEntry({}), why)), /hunter2-/);
    t.notRegex(secrets.redact(lockedReason(why, 0)), /hunter2-/);
  }
});
