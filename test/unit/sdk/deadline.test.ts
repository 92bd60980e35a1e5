import test from 'ava';
import { withDeadline } from '../../../sdk/deadline.ts';
import { clockCheckedSignal } from '../../../sdk/provider/guard/clock-checked-signal.ts';
import { createManualClock } from '../../cluster/apimachinery/clock/manual-clock.ts';

const hung = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const { signal } = new AbortController();

test('work that gets no answer ends at its deadline', async (t) => {
  const clock = createManualClock();
  const given = t.throwsAsync(withDeadline({ clock, deadline: 50, signal }, hung), {
    message: 'no answer within 50 ms',
  });
  await clock.advance(50);
  await given;
});

test('what is left of a longer time is said in whole ms', async (t) => {
  const clock = createManualClock();
  const given = t.throwsAsync(withDeadline({ clock, deadline: 49.6123, signal }, hung), {
    message: 'no answer within 50 ms',
  });
  await clock.advance(50);
  await given;
});

test('an answer in time is passed on, and an earlier end is the signal’s', async (t) => {
  const clock = createManualClock();
  t.is(await withDeadline({ clock, deadline: 50, signal }, async () => 'seen'), 'seen');
  const stop = new AbortController();
  const given = t.throwsAsync(withDeadline({ clock, deadline: 50, signal: stop.signal }, hung), { message: 'stopped' });
  stop.abort(new Error('stopped'));
  await given;
});

test('the signal of an attempt whose time is up stops work before it begins', async (t) => {
  const attempt = new AbortController();
  const checked = clockCheckedSignal(attempt.signal, () => attempt.abort(new Error('time is up')));
  const begun = withDeadline({ clock: createManualClock(), deadline: 50, signal: checked }, async (inner) =>
    inner.throwIfAborted(),
  );
  await t.throwsAsync(begun, { message: 'time is up' });
});
