import test from 'ava';
import { createShutdown } from '../../../../sequencer/run/shutdown.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';

test('first nothing new begins, then what still runs must end', async (t) => {
  const clock = createManualClock();
  const shutdown = createShutdown(clock, 1_000);
  const stop = new AbortController();
  const work = Promise.withResolvers<void>();
  const end = shutdown.during(stop.signal, () => work.promise);
  t.false(shutdown.stopping.aborted);
  stop.abort('enough');
  t.is(shutdown.stopping.reason, 'enough');
  await clock.advance(999);
  t.false(shutdown.killed.aborted);
  await clock.advance(1);
  t.true(shutdown.killed.aborted);
  work.resolve();
  await end;
});

test('work that is through in time is never killed', async (t) => {
  const clock = createManualClock();
  const shutdown = createShutdown(clock, 1_000);
  await shutdown.during(AbortSignal.abort(), async () => {
    t.true(shutdown.stopping.aborted);
  });
  await clock.advance(5_000);
  t.false(shutdown.killed.aborted);
  t.is(clock.pending, 0);
});
