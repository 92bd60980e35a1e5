import test from 'ava';
import { ConnectionMonitor } from '../../../../../sdk/client/http/connection-monitor.ts';
import { ApiError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

function aPulse() {
  const clock = createManualClock();
  return { clock, pulse: new ConnectionMonitor({ clock, random: () => 0 }) };
}

test('spaces failures out: 0.2 s doubling to 30 s', (t) => {
  const { pulse: monitor } = aPulse();
  const delays = Array.from({ length: 10 }, () => {
    monitor.begin();
    return monitor.end(new Error('no')).delay;
  });
  t.deepEqual(delays, [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  t.like(monitor.health(), { failures: 10, lastError: 'no', silence: undefined });
});

test('an end without an error is good after a while and a failure at once', async (t) => {
  const { clock, pulse: monitor } = aPulse();
  monitor.begin();
  t.like(monitor.end(), { failures: 1, delay: 200 });
  t.is(monitor.health().lastError, 'the server ended the watch after 0 ms');
  monitor.begin();
  await clock.advance(5000);
  t.deepEqual(monitor.end(), { failure: undefined, failures: 0, delay: 0 });
});

test('failures are over when something is heard on a connection that has lived for a while', async (t) => {
  const { clock, pulse: monitor } = aPulse();
  monitor.begin();
  monitor.end(new Error('no'));
  monitor.begin();
  monitor.recordActivity();
  t.is(monitor.health().failures, 1, 'not by one word');
  await clock.advance(5000);
  monitor.recordActivity();
  t.is(monitor.health().failures, 0);
  await clock.advance(700);
  t.is(monitor.health().silence, 700);
});

test('waits as long as the server asks for', (t) => {
  const { pulse: monitor } = aPulse();
  const status = { kind: 'Status', apiVersion: 'v1', code: 429 } as const;
  monitor.begin();
  t.is(monitor.end(new ApiError(status, { method: 'GET', path: '/', server: '' }, 7000)).delay, 7000);
});

test('one attempt without a word is reported at debug by others, two are a silence', async (t) => {
  const clock = createManualClock();
  const said: string[] = [];
  const say = (_about: object, text: string) => void said.push(text);
  const monitor = new ConnectionMonitor({ clock, random: () => 0, logger: { warn: say, info: say } as never });
  const attempt = async () => {
    monitor.begin();
    await clock.advance(90_000);
    monitor.end(new Error('no data for 90000 ms'));
  };
  monitor.begin();
  monitor.recordActivity();
  await attempt();
  t.deepEqual(said, [], 'a server that is well may leave out a bookmark');
  monitor.recordActivity();
  await attempt();
  await attempt();
  await attempt();
  t.deepEqual(said, ['no response from the API server, retrying'], 'a connection that stays silent is reported once');
  monitor.recordActivity();
  t.is(said.at(-1), 'the API server responds again');
});
