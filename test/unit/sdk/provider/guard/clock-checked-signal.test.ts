import test from 'ava';
import { clockCheckedSignal } from '../../../../../sdk/provider/guard/clock-checked-signal.ts';

function aSignal() {
  const controller = new AbortController();
  let now = 0;
  const signal = clockCheckedSignal(controller.signal, () => {
    if (now >= 10) controller.abort(new Error('time is up'));
  });
  return {
    signal,
    controller,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a signal that is asked looks at the clock, though no timer has fired', (t) => {
  const { signal, pass } = aSignal();
  t.false(signal.aborted);
  t.notThrows(() => signal.throwIfAborted());
  pass(10);
  t.true(signal.aborted);
  t.throws(() => signal.throwIfAborted(), { message: 'time is up' });
});

test('a request that is handed the signal is stopped too', async (t) => {
  const { signal, pass } = aSignal();
  t.true(signal instanceof AbortSignal);
  pass(10);
  await t.throwsAsync(fetch('http://127.0.0.1:1', { signal }), { message: 'time is up' });
});

test('it still tells its listeners when it is aborted', (t) => {
  const { signal, controller } = aSignal();
  let told = 0;
  signal.addEventListener('abort', () => {
    told += 1;
  });
  controller.abort();
  t.true(signal.aborted);
  t.is(told, 1);
});

test('a runtime that reads the signal to abort it, as Deno does, aborts it once', (t) => {
  const controller = new AbortController();
  const abort = () => {
    if (!signal.aborted) controller.abort(new Error('time is up'));
  };
  const signal = clockCheckedSignal(controller.signal, abort);
  abort();
  t.throws(() => signal.throwIfAborted(), { message: 'time is up' });
});
