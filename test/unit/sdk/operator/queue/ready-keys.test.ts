import test from 'ava';
import { type Priority, precedes, ReadyKeys } from '../../../../../sdk/operator/queue/ready-keys.ts';

const priorities: readonly Priority[] = ['fresh', 'due', 'backlog'];

/** Keys of one tenant and several priorities. */
function filled(count: number) {
  const keys = new ReadyKeys();
  for (const priority of priorities)
    for (let i = 0; i < count; i += 1) keys.add({ key: `${priority} ${i}`, priority, tenant: 'a' });
  return keys;
}

const taken = (keys: ReadyKeys, count: number) => Array.from({ length: count }, () => keys.take()?.split(' ')[0]);

test('takes the first priority first, and each of the others again and again', (t) => {
  const counts = Map.groupBy(taken(filled(100), 100), (priority) => priority);
  t.deepEqual(
    priorities.map((priority) => counts.get(priority)?.length),
    [90, 5, 5],
  );
});

test('tenants take turns within a priority only', (t) => {
  const keys = new ReadyKeys();
  for (const name of ['x1', 'x2', 'x3']) keys.add({ key: name, priority: 'fresh', tenant: 'x' });
  keys.add({ key: 'y1', priority: 'fresh', tenant: 'y' });
  keys.add({ key: 'z1', priority: 'backlog', tenant: 'z' });
  t.deepEqual(
    Array.from({ length: 6 }, () => keys.take()),
    ['x1', 'y1', 'x2', 'x3', 'z1', undefined],
  );
});

test('a deleted key is not taken', (t) => {
  const keys = filled(1);
  t.true(keys.delete({ key: 'due 0', priority: 'due', tenant: 'a' }));
  t.false(keys.delete({ key: 'due 0', priority: 'due', tenant: 'a' }));
  t.is(keys.size, 2);
  t.deepEqual(taken(keys, 3), ['fresh', 'backlog', undefined]);
});

test('fresh precedes due, due precedes the backlog', (t) => {
  t.true(precedes('fresh', 'due') && precedes('due', 'backlog') && precedes('fresh', 'backlog'));
  t.false(precedes('due', 'due') || precedes('backlog', 'fresh'));
});
