import test from 'ava';
import { systemClock } from '../../../sdk/clock.ts';

test('sleeping ends at once when the signal aborts, with its reason', async (t) => {
  const abort = new AbortController();
  const sleeping = systemClock.sleep(60_000, abort.signal);
  abort.abort(new Error('stop'));
  await t.throwsAsync(sleeping, { message: 'stop' });
  await t.throwsAsync(systemClock.sleep(60_000, abort.signal), { message: 'stop' });
});

test('a time beyond what a timer can count does not fire at once', (t) => {
  let fired = false;
  const cancel = systemClock.after(2 ** 40, () => {
    fired = true;
  });
  t.false(fired);
  cancel();
});

test('a cancelled call never happens, another one does', async (t) => {
  const called: string[] = [];
  await new Promise<void>((resolve) => {
    systemClock.after(1, () => called.push('cancelled'))();
    systemClock.after(1, () => called.push('kept'));
    setTimeout(resolve, 20);
  });
  t.deepEqual(called, ['kept']);
});

test.serial('a time that is over already comes at once, without a warning of the process', async (t) => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  systemClock.after(-100, () => undefined);
  await systemClock.sleep(-100);
  await systemClock.sleep(1);
  process.off('warning', note);
  t.deepEqual(warnings, []);
});
