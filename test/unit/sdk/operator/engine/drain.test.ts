import test from 'ava';
import { DrainError, drainQueue } from '../../../../../sdk/operator/engine/drain.ts';
import { aQueue } from '../queue/a-queue.ts';

test('waits for what runs, then aborts it, then says what runs even so', async (t) => {
  const { clock, queue, running, finish } = aQueue();
  queue.start();
  for (const key of ['polite', 'rude', 'quick']) queue.add(key);
  const reasons: string[] = [];
  const runs = {
    abort: (reason: Error) => {
      reasons.push(reason.message);
      running.get('polite')?.();
    },
  };
  const left = drainQueue(queue, runs, 500);
  await finish('quick');
  await clock.advance(499);
  t.deepEqual(reasons, []);
  await clock.advance(1001);
  t.deepEqual(await left, ['rude']);
  t.deepEqual(reasons, ['the engine stops']);
});

test('a DrainError names the controller and what still runs', (t) => {
  const error = new DrainError('c', ['default/a']);
  t.is(error.message, 'controller c: still running after the drain time: default/a');
  t.deepEqual([error.name, error.keys], ['DrainError', ['default/a']]);
});
