import test from 'ava';
import { withCondition } from '../../../../sdk/api/standard-condition.ts';

const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '', observedGeneration: 1 } as const;

test('a new condition is appended with the time of now', (t) => {
  t.deepEqual(withCondition([], ready, 5_000), [{ ...ready, lastTransitionTime: '1970-01-01T00:00:05Z' }]);
});

test('the transition time moves with the status only', (t) => {
  const first = withCondition([], ready, 5_000);
  const [other] = withCondition(first, { ...ready, reason: 'StillReady' }, 9_000);
  t.like(other, { reason: 'StillReady', lastTransitionTime: '1970-01-01T00:00:05Z' });
  const [moved] = withCondition(first, { ...ready, status: 'False' }, 9_000);
  t.is(moved?.lastTransitionTime, '1970-01-01T00:00:09Z');
});

test('nothing new is the same array', (t) => {
  const first = withCondition([], ready, 5_000);
  t.is(withCondition(first, ready, 9_000), first);
});

test('a message is cut to what the API conventions allow', (t) => {
  const [condition] = withCondition([], { ...ready, message: 'x'.repeat(40_000) }, 0);
  t.is(condition?.message.length, 32_768);
});

test('a message with half of a character is not a change each time', (t) => {
  const half = { ...ready, message: 'half: \ud83d' };
  const stored = withCondition([], half, 0).map((one) => ({ ...one, message: one.message.toWellFormed() }));
  t.is(withCondition(stored, half, 0), stored);
});
