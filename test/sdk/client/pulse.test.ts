import test from 'ava';
import { Pulse } from '../../../sdk/client/pulse.ts';
import { ApiError } from '../../../sdk/errors.ts';
import { createManualClock } from '../../cluster/manual-clock.ts';

function aPulse() {
  const clock = createManualClock();
  return { clock, pulse: new Pulse({ clock, random: () => 0 }) };
}

test('spaces failures out: 0.2 s doubling to 30 s', (t) => {
  const { pulse } = aPulse();
  const delays = Array.from({ length: 10 }, () => {
    pulse.begin();
    return pulse.end(new Error('no')).delay;
  });
  t.deepEqual(delays, [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  t.like(pulse.health(), { failures: 10, lastError: 'no', silence: undefined });
});

test('an end without an error is good after a while and a failure at once', async (t) => {
  const { clock, pulse } = aPulse();
  pulse.begin();
  t.like(pulse.end(), { failures: 1, delay: 200 });
  t.is(pulse.health().lastError, 'the server ended the watch after 0 ms');
  pulse.begin();
  await clock.advance(5000);
  t.deepEqual(pulse.end(), { failure: undefined, failures: 0, delay: 0 });
});

test('failures are over when something is heard on a connection that has lived for a while', async (t) => {
  const { clock, pulse } = aPulse();
  pulse.begin();
  pulse.end(new Error('no'));
  pulse.begin();
  pulse.heard();
  t.is(pulse.health().failures, 1, 'not by one word');
  await clock.advance(5000);
  pulse.heard();
  t.is(pulse.health().failures, 0);
  await clock.advance(700);
  t.is(pulse.health().silence, 700);
});

test('waits as long as the server asks for', (t) => {
  const { pulse } = aPulse();
  const status = { kind: 'Status', apiVersion: 'v1', code: 429 } as const;
  pulse.begin();
  t.is(pulse.end(new ApiError(status, { method: 'GET', path: '/', server: '' }, 7000)).delay, 7000);
});
