import test from 'ava';
import { aborted, type Runnable } from '../../../../sdk/index.ts';
import { runnableGroup } from '../../../../sequencer/run/runnable-group.ts';

/** A runnable that runs until it is stopped, and notes that it was. */
const patient = (name: string, stopped: string[]): Runnable => ({
  name,
  async run(signal) {
    await aborted(signal);
    stopped.push(name);
  },
});

test('a group of one is that one', (t) => {
  const main = patient('main', []);
  t.is(runnableGroup(main, [], 1_000), main);
});

test('all runnables of a group end with its signal', async (t) => {
  const stopped: string[] = [];
  const group = runnableGroup(patient('main', stopped), [patient('other', stopped)], 1_000);
  t.is(group.name, 'main');
  const stop = new AbortController();
  const running = group.run(stop.signal);
  stop.abort();
  await running;
  t.deepEqual(stopped.toSorted(), ['main', 'other']);
});

test('when one of a group ends, the others are stopped, and the group fails', async (t) => {
  const stopped: string[] = [];
  const brief: Runnable = { name: 'brief', run: async () => {} };
  const group = runnableGroup(patient('main', stopped), [brief], 1_000);
  await t.throwsAsync(group.run(new AbortController().signal), { message: /brief/ });
  t.deepEqual(stopped, ['main']);
});
