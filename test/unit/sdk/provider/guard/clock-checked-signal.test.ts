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

test('whoever is handed the signal, or one made of it, is stopped too', async (t) => {
  const { signal, pass } = aSignal();
  t.true(signal instanceof AbortSignal);
  pass(10);
  t.true(AbortSignal.any([signal, new AbortController().signal]).aborted);
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
