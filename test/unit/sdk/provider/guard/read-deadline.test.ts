import test from 'ava';
import { withReadDeadline } from '../../../../../sdk/provider/guard/read-deadline.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

const hung = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function aHost() {
  const clock = createManualClock();
  const stop = new AbortController();
  const times = { lease: 30_000, margin: 6_000, maxRequest: 15_000, attempt: 600_000, skew: 0 };
  return { clock, stop, host: { clock, stopping: stop.signal, times } };
}

test('a look that gets no answer is given up after a lease', async (t) => {
  const { clock, host } = aHost();
  const given = t.throwsAsync(withReadDeadline(host, 'box a: observe', hung), {
    message: 'box a: observe: no answer within 30000 ms',
  });
  await clock.advance(30_000);
  await given;
});

test('a look that ignores its signal is left behind', async (t) => {
  const { clock, host } = aHost();
  const given = t.throwsAsync(
    withReadDeadline(host, 'box a: observe', () => new Promise(() => {})),
    { message: 'box a: observe: no answer within 30000 ms' },
  );
  await clock.advance(30_000);
  await given;
});

test('a look ends when the host stops, and an answer in time is passed on', async (t) => {
  const { stop, host } = aHost();
  t.is(await withReadDeadline(host, 'seeing', async () => 'seen'), 'seen');
  const given = t.throwsAsync(withReadDeadline(host, 'seeing', hung), { message: 'stopped' });
  stop.abort(new Error('stopped'));
  await given;
});
