import test from 'ava';
import { KeyedMutex } from '../../../../../sdk/provider/host/keyed-mutex.ts';

test('tasks of one name run one after the other, of two names side by side', async (t) => {
  const mutex = new KeyedMutex();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const task = (name: string, wait?: Promise<void>) => async () => {
    order.push(`${name} begins`);
    await wait;
    order.push(`${name} ends`);
  };
  const all = [
    mutex.runExclusive('x', task('x1', gate.promise)),
    mutex.runExclusive('x', task('x2')),
    mutex.runExclusive('y', task('y1')),
  ];
  await all[2];
  gate.resolve();
  await Promise.all(all);
  t.deepEqual(order, ['x1 begins', 'y1 begins', 'y1 ends', 'x1 ends', 'x2 begins', 'x2 ends']);
});

test('a task that throws lets the next one in, and idle names are forgotten', async (t) => {
  const mutex = new KeyedMutex();
  await t.throwsAsync(
    mutex.runExclusive('x', async () => {
      throw new Error('no');
    }),
  );
  t.is(await mutex.runExclusive('x', async () => 1), 1);
  t.is(mutex.size, 0);
});
