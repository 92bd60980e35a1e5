import test from 'ava';
import { OperatorError, type Runnable, runOperator } from '../../../../sdk/operator/operator.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** An operator that runs until stopped and takes `takes` ms to stop. */
function anOperator(drain?: number) {
  const clock = createManualClock();
  const log: string[] = [];
  const runnable = (name: string, takes = 0): Runnable => ({
    name,
    run: async (signal) => {
      log.push(`${name} runs`);
      await once(signal);
      log.push(`${name} stops`);
      if (takes > 0) await clock.sleep(takes);
      log.push(`${name} ended`);
    },
  });
  const stop = new AbortController();
  const run = (...controllers: Runnable[]) =>
    runOperator({ controllers, signal: stop.signal, clock, ...(drain !== undefined && { drain }) });
  return { clock, log, runnable, stop, run };
}

test('runs all until the signal aborts, and waits for all of them', async (t) => {
  const { clock, log, runnable, stop, run } = anOperator();
  const ended = run(runnable('a', 200), runnable('b'));
  await clock.advance(1000);
  t.deepEqual(log, ['a runs', 'b runs']);
  stop.abort();
  await clock.advance(200);
  await ended;
  t.deepEqual(log.slice(2).sort(), ['a ended', 'a stops', 'b ended', 'b stops']);
  t.is(clock.pending, 0);
});

test('GRAF-T20: stops the others when one fails, waits for them and says who it was', async (t) => {
  const { clock, log, runnable, run } = anOperator();
  const cause = new Error('out of luck');
  const ended = run(runnable('good', 200), { name: 'bad', run: () => Promise.reject(cause) });
  ended.catch(() => log.push('operator failed'));
  await clock.advance(200);
  const error = await t.throwsAsync(ended, { instanceOf: OperatorError, message: 'bad: out of luck' });
  t.is(error?.cause, cause);
  t.deepEqual(error?.failures, [{ name: 'bad', error: cause }]);
  t.deepEqual(log, ['good runs', 'good stops', 'good ended', 'operator failed']);
});

const lazy: Runnable = { name: 'lazy', run: async () => undefined };

test('GRAF-T20: one that returns early leaves the others running; when all have, the operator is over', async (t) => {
  const { clock, log, runnable, stop, run } = anOperator();
  const ended = run(runnable('good'), lazy);
  await clock.advance(1000);
  t.deepEqual(log, ['good runs']);
  stop.abort();
  await ended;
  t.deepEqual(log, ['good runs', 'good stops', 'good ended']);
  const alone = anOperator();
  await alone.run(lazy, lazy);
  t.is(alone.clock.pending, 0);
});

test('takes an end that was not requested as a failure where it is told to', async (t) => {
  const { clock, log, runnable, stop } = anOperator();
  const controllers = [runnable('good'), lazy];
  await t.throwsAsync(runOperator({ controllers, signal: stop.signal, clock, earlyEnd: 'fail' }), {
    message: 'lazy: ended without being stopped',
  });
  t.deepEqual(log, ['good runs', 'good stops', 'good ended']);
});

test('does not wait for ever: names what has not ended in time', async (t) => {
  const { clock, runnable, stop, run } = anOperator(3000);
  const ended = run(runnable('slow', 1_000_000), runnable('good'));
  ended.catch(() => undefined);
  await clock.advance(0);
  stop.abort();
  await clock.advance(3000);
  await t.throwsAsync(ended, { message: 'slow: had not ended after 3000 ms' });
});

test('starts and stops at once when the signal has aborted before', async (t) => {
  const { log, runnable, stop, run } = anOperator();
  stop.abort();
  await run(runnable('a'));
  t.deepEqual(log, ['a runs', 'a stops', 'a ended']);
});

test('takes an end by the reason to stop as a good one', async (t) => {
  const { stop, run } = anOperator();
  const ended = run({
    name: 'a',
    run: async (signal) => {
      await once(signal);
      throw signal.reason;
    },
  });
  stop.abort(new Error('enough'));
  await t.notThrowsAsync(ended);
});
