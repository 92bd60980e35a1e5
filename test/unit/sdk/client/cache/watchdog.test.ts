import test from 'ava';
import { createWatchdog } from '../../../../../sdk/client/cache/watchdog.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

function aWatchdog() {
  const clock = createManualClock();
  const outer = new AbortController();
  const reason = () => new Error('too quiet');
  return { clock, outer, dog: createWatchdog({ clock, timeout: 1000, signal: outer.signal, reason }) };
}

test('aborts after too long a silence, counted from the last sign of life', async (t) => {
  const { clock, dog } = aWatchdog();
  await clock.advance(900);
  dog.recordActivity();
  await clock.advance(999);
  t.false(dog.signal.aborted);
  await clock.advance(1);
  t.is((dog.signal.reason as Error).message, 'too quiet');
});

test('has one timer however much it hears', async (t) => {
  const { clock, dog } = aWatchdog();
  for (let i = 0; i < 100; i += 1) dog.recordActivity();
  t.is(clock.pending, 1);
});

test('does not mind silence once it rests, but passes an abort on', async (t) => {
  const { clock, outer, dog } = aWatchdog();
  dog.disarm();
  await clock.advance(10_000);
  t.false(dog.signal.aborted);
  outer.abort(new Error('enough'));
  t.is((dog.signal.reason as Error).message, 'enough');
});

test('leaves nothing behind', async (t) => {
  const { clock, outer, dog } = aWatchdog();
  dog.stop();
  outer.abort();
  t.false(dog.signal.aborted);
  t.is(clock.pending, 0);
});

test('takes up nothing that was aborted before', (t) => {
  const signal = AbortSignal.abort(new Error('before'));
  const dog = createWatchdog({ clock: createManualClock(), timeout: 1000, signal, reason: () => new Error('quiet') });
  t.is((dog.signal.reason as Error).message, 'before');
  dog.stop();
});
