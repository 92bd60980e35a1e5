import test from 'ava';
import {
  isRecoverable,
  recoveryDecisionOf,
  type UnresolvedAttempt,
} from '../../../../../sdk/provider/guard/recovery-decision.ts';
import { anEntry } from '../../../a-workspace.ts';

const hour = 3_600_000;
const began = '2026-01-01T00:00:00Z';
const now = Date.parse(began) + hour;
const unresolved = (more: Partial<UnresolvedAttempt>): UnresolvedAttempt => ({
  lock: { kind: 'dead' },
  entry: anEntry({ phase: 'intent', began }),
  mirror: { kind: 'none' },
  op: 'create',
  options: {},
  now,
  skew: 0,
  ...more,
});
const recover = async () => undefined;

const cases: readonly (readonly [title: string, more: Partial<UnresolvedAttempt>, kind: string])[] = [
  ['what is free runs, whatever its identity', { lock: { kind: 'free' } }, 'run'],
  ['an opaque attempt whose holder died is for a person', {}, 'ask'],
  ['an opaque one whose entry was lost too', { lock: { kind: 'lost' }, entry: undefined }, 'ask'],
  ['identity name runs again', { options: { identity: 'name' } }, 'run'],
  [
    'identity name runs again though its entry was lost',
    { lock: { kind: 'lost' }, entry: undefined, options: { identity: 'name' } },
    'run',
  ],
  ['what can be looked for is looked for first', { options: { recover } }, 'search'],
  ['and so is what was lost', { lock: { kind: 'lost' }, entry: undefined, options: { recover } }, 'search'],
  [
    'what was under way when a journal was lost is looked for before anything is made',
    { lock: { kind: 'free' }, entry: anEntry({ lost: true }), options: { recover } },
    'search',
  ],
  ['identity key runs again with its key', { options: { identity: 'key' } }, 'run'],
  [
    'without its entry the keys are lost',
    { lock: { kind: 'lost' }, entry: undefined, options: { identity: 'key' } },
    'ask',
  ],
  ['another operation cannot begin over an unresolved key', { op: 'delete', options: { identity: 'key' } }, 'ask'],
  ['F41: a key that is over is not used again', { options: { identity: 'key', validForMs: hour } }, 'ask'],
  ['F41: a key that is not over is', { options: { identity: 'key', validForMs: hour + 1 } }, 'run'],
  [
    'F19: nor one that another clock may have seen run out',
    { options: { identity: 'key', validForMs: 2 * hour }, skew: hour },
    'ask',
  ],
];
for (const [title, more, kind] of cases)
  test(title, (t) => t.is(recoveryDecisionOf(unresolved(more)).kind, kind as never));

test('an attempt may stay open only where something can find out about it', (t) => {
  t.false(isRecoverable({}));
  t.true(isRecoverable({ identity: 'name' }));
  t.true(isRecoverable({ identity: 'key' }));
  t.true(isRecoverable({ recover }));
});

test('F19: a key is not used again whose attempt began later than clocks may differ, by a clock that was wrong', (t) => {
  const begun = (time: string) =>
    recoveryDecisionOf(
      unresolved({
        entry: anEntry({ phase: 'intent', began: time }),
        options: { identity: 'key', validForMs: 3 * hour },
        skew: hour,
      }),
    ).kind;
  t.is(begun('2036-01-01T00:00:00Z'), 'ask');
  t.is(begun('2026-01-01T02:00:01Z'), 'ask');
  t.is(begun('2026-01-01T02:00:00Z'), 'run');
});
