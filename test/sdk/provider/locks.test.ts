import test from 'ava';
import { Locks } from '../../../sdk/provider/locks.ts';

test('tasks of one name run one after the other, of two names side by side', async (t) => {
  const locks = new Locks();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const task = (name: string, wait?: Promise<void>) => async () => {
    order.push(`${name} begins`);
    await wait;
    order.push(`${name} ends`);
  };
  const all = [locks.alone('x', task('x1', gate.promise)), locks.alone('x', task('x2')), locks.alone('y', task('y1'))];
  await all[2];
  gate.resolve();
  await Promise.all(all);
  t.deepEqual(order, ['x1 begins', 'y1 begins', 'y1 ends', 'x1 ends', 'x2 begins', 'x2 ends']);
});

test('a task that throws lets the next one in, and idle names are forgotten', async (t) => {
  const locks = new Locks();
  await t.throwsAsync(
    locks.alone('x', async () => {
      throw new Error('no');
    }),
  );
  t.is(await locks.alone('x', async () => 1), 1);
  t.is(locks.size, 0);
});
