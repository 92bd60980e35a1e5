import test from 'ava';
import { opinionatedRetryDequeuePolicy } from '../../../../../sdk/operator/engine/retry-dequeue.ts';
import type { Source } from '../../../../../sdk/operator/engine/source.ts';
import type { RegisteredHandler } from '../../../../../sdk/operator/watch-controller/handler-registry.ts';
import {
  PendingWork,
  type QueuedEvent,
  type Retry,
} from '../../../../../sdk/operator/watch-controller/pending-work.ts';
import type { ReconcileAction } from '../../../../../sdk/reconcile/object-event.ts';
import { aWidget } from '../a-widget.ts';

const source = {} as Source;
const part: RegisteredHandler = { type: 'watcher', reconcile: async () => ({}) };

const arrival = (action: ReconcileAction, size: number, before?: number): QueuedEvent => {
  const object = aWidget('a', { generation: size }, size);
  const previous = before === undefined ? undefined : aWidget('a', { generation: before }, before);
  return {
    source,
    event: { action, object, previous },
    observed: { controller: 'c', resourceKind: 'foo', action, object },
  };
};
const retry = (about: QueuedEvent, due: number, attempt = 1): Retry => ({
  handler: part,
  queued: about,
  attempt,
  due,
  state: undefined,
  cause: 'retry',
  error: new Error('no'),
});
const told = (pending: PendingWork): readonly string[] => {
  const log: string[] = [];
  for (let next = pending.next('a'); next !== undefined; next = pending.next('a')) {
    const { action, object, previous } = next.event;
    log.push(
      `${action} ${previous === undefined ? '' : `${(previous as typeof object & { spec: { size: number } }).spec.size}-`}${(object as typeof object & { spec: { size: number } }).spec.size}`,
    );
  }
  return log;
};

test('updates in a row are one, from the first old state to the last new one; all else stays in its order', (t) => {
  const pending = new PendingWork(opinionatedRetryDequeuePolicy);
  const events = [
    arrival('created', 1),
    arrival('updated', 2, 1),
    arrival('updated', 3, 2),
    arrival('updated', 4, 3),
    arrival('resynced', 4),
    arrival('deleted', 4),
    arrival('created', 1),
  ];
  for (const event of events) pending.add('a', event);
  t.true(pending.hasEvents('a'));
  t.deepEqual(told(pending), ['created 1', 'updated 1-4', 'deleted 4', 'created 1']);
  t.is(pending.size, 0);
});

test('calls come back when they are due, the earliest first', (t) => {
  const pending = new PendingWork(opinionatedRetryDequeuePolicy);
  pending.schedule('a', retry(arrival('updated', 2), 20));
  pending.schedule('a', retry(arrival('created', 2), 10));
  t.deepEqual([pending.nextDue('a'), pending.retriesOf('a'), pending.failing], [10, 2, 1]);
  t.is(pending.takeDue('a', 9), undefined);
  t.is(pending.takeDue('a', 10)?.queued.event.action, 'created');
  t.is(pending.takeDue('a', 10), undefined);
  t.is(pending.takeDue('a', 20)?.due, 20);
  t.is(pending.size, 0);
});

test('GRAF-c8: a part that fails again and again about the same has one retry, and nothing is left of what is over', (t) => {
  const pending = new PendingWork(opinionatedRetryDequeuePolicy);
  for (let i = 0; i < 1000; i += 1) pending.schedule('a', retry(arrival('updated', 2), 100 + i, i === 0 ? 5 : 1));
  t.is(pending.retriesOf('a'), 1);
  t.like(pending.takeDue('a', 100), { due: 100, attempt: 5 });
  t.is(pending.size, 0);
});

test('GRAF-c7: a retry that failed after something newer came is dropped by it', (t) => {
  const pending = new PendingWork(opinionatedRetryDequeuePolicy);
  pending.add('a', arrival('updated', 3, 2));
  pending.schedule('a', retry(arrival('updated', 2, 1), 10));
  t.true(pending.accepts('a', part, pending.next('a')!));
  t.is(pending.retriesOf('a'), 0);
});

test('GRAF-c1: a resync neither drops a retry nor comes beside it', (t) => {
  const pending = new PendingWork(() => true);
  pending.schedule('a', retry(arrival('created', 1), 10));
  t.false(pending.accepts('a', part, arrival('resynced', 1)));
  t.true(pending.accepts('a', { ...part }, arrival('resynced', 1)), 'others are reported');
  t.is(pending.retriesOf('a'), 1);
});

test('GRAF-T23, GRAF-c8: a hundred thousand objects that came, failed and went leave nothing', (t) => {
  const pending = new PendingWork(opinionatedRetryDequeuePolicy);
  const [made, gone] = [arrival('created', 1), arrival('deleted', 1)];
  for (let i = 0; i < 100_000; i += 1) {
    const key = `default/o${i}`;
    pending.add(key, made);
    pending.next(key);
    pending.schedule(key, retry(made, i));
  }
  t.is(pending.size, 100_000);
  for (let i = 0; i < 100_000; i += 1) {
    const key = `default/o${i}`;
    pending.add(key, gone);
    pending.accepts(key, part, pending.next(key)!);
  }
  t.is(pending.size, 0);
});
