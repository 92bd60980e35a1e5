import test from 'ava';
import { PullRequestQueue } from '../../../../integrations/previews/pull-request-queue.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';

const { signal } = new AbortController();

test('what is added is taken once, together', async (t) => {
  const [wakes, clock] = [new PullRequestQueue(), createManualClock()];
  for (const number of [2, 1, 2]) wakes.add(number);
  wakes.add(new Set([3]));
  t.deepEqual(await wakes.take(clock, 1000, signal), new Set([2, 1, 3]));
  wakes.add(4);
  wakes.add('all');
  t.is(await wakes.take(clock, 1000, signal), 'all');
  t.is(clock.pending, 0);
});

test('when the time is over all are looked at, and more than a hundred are all', async (t) => {
  const [wakes, clock] = [new PullRequestQueue(), createManualClock()];
  const taken = wakes.take(clock, 1000, signal);
  await clock.advance(1000);
  t.is(await taken, 'all');
  for (let number = 1; number <= 101; number += 1) wakes.add(number);
  t.is(await wakes.take(clock, 1000, signal), 'all');
});

test('an empty set wakes nothing, and the wait ends with its signal', async (t) => {
  const [wakes, clock, stop] = [new PullRequestQueue(), createManualClock(), new AbortController()];
  wakes.add(new Set());
  const taken = wakes.take(clock, 1000, stop.signal);
  stop.abort(new Error('stopped'));
  await t.throwsAsync(taken, { message: 'stopped' });
  t.is(clock.pending, 0);
});
