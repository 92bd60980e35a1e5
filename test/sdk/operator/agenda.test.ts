import test from 'ava';
import { Agenda, type Arrival, type Retry } from '../../../sdk/operator/agenda.ts';
import { opinionatedRetryDequeuePolicy } from '../../../sdk/operator/dequeue.ts';
import type { Part } from '../../../sdk/operator/parts.ts';
import type { Source } from '../../../sdk/operator/source.ts';
import type { ReconcileAction } from '../../../sdk/reconcile/object-event.ts';
import { aWidget } from './a-widget.ts';

const source = {} as Source;
const part: Part = { type: 'watcher', reconcile: async () => ({}) };

const arrival = (action: ReconcileAction, size: number, before?: number): Arrival => {
  const object = aWidget('a', { generation: size }, size);
  const previous = before === undefined ? undefined : aWidget('a', { generation: before }, before);
  return {
    source,
    event: { action, object, previous },
    observed: { controller: 'c', resourceKind: 'foo', action, object },
  };
};
const retry = (about: Arrival, due: number, attempt = 1): Retry => ({
  part,
  arrival: about,
  attempt,
  due,
  state: undefined,
  cause: 'retry',
  error: new Error('no'),
});
const told = (agenda: Agenda): readonly string[] => {
  const log: string[] = [];
  for (let next = agenda.next('a'); next !== undefined; next = agenda.next('a')) {
    const { action, object, previous } = next.event;
    log.push(
      `${action} ${previous === undefined ? '' : `${(previous as typeof object & { spec: { size: number } }).spec.size}-`}${(object as typeof object & { spec: { size: number } }).spec.size}`,
    );
  }
  return log;
};

test('updates in a row are one, from the first old state to the last new one; all else stays in its order', (t) => {
  const agenda = new Agenda(opinionatedRetryDequeuePolicy);
  const events = [
    arrival('created', 1),
    arrival('updated', 2, 1),
    arrival('updated', 3, 2),
    arrival('updated', 4, 3),
    arrival('resynced', 4),
    arrival('deleted', 4),
    arrival('created', 1),
  ];
  for (const event of events) agenda.arrived('a', event);
  t.true(agenda.hasArrivals('a'));
  t.deepEqual(told(agenda), ['created 1', 'updated 1-4', 'deleted 4', 'created 1']);
  t.is(agenda.size, 0);
});

test('calls come back when they are due, the earliest first', (t) => {
  const agenda = new Agenda(opinionatedRetryDequeuePolicy);
  agenda.plan('a', retry(arrival('updated', 2), 20));
  agenda.plan('a', retry(arrival('created', 2), 10));
  t.deepEqual([agenda.nextDue('a'), agenda.retriesOf('a'), agenda.failing], [10, 2, 1]);
  t.is(agenda.dueAt('a', 9), undefined);
  t.is(agenda.dueAt('a', 10)?.arrival.event.action, 'created');
  t.is(agenda.dueAt('a', 10), undefined);
  t.is(agenda.dueAt('a', 20)?.due, 20);
  t.is(agenda.size, 0);
});

test('GRAF-c8: a part that fails again and again about the same has one retry, and nothing is left of what is over', (t) => {
  const agenda = new Agenda(opinionatedRetryDequeuePolicy);
  for (let i = 0; i < 1000; i += 1) agenda.plan('a', retry(arrival('updated', 2), 100 + i, i === 0 ? 5 : 1));
  t.is(agenda.retriesOf('a'), 1);
  t.like(agenda.dueAt('a', 100), { due: 100, attempt: 5 });
  t.is(agenda.size, 0);
});

test('GRAF-c7: a retry that failed after something newer came is dropped by it', (t) => {
  const agenda = new Agenda(opinionatedRetryDequeuePolicy);
  agenda.arrived('a', arrival('updated', 3, 2));
  agenda.plan('a', retry(arrival('updated', 2, 1), 10));
  t.true(agenda.admits('a', part, agenda.next('a')!));
  t.is(agenda.retriesOf('a'), 0);
});

test('GRAF-c1: a resync neither drops a retry nor comes beside it', (t) => {
  const agenda = new Agenda(() => true);
  agenda.plan('a', retry(arrival('created', 1), 10));
  t.false(agenda.admits('a', part, arrival('resynced', 1)));
  t.true(agenda.admits('a', { ...part }, arrival('resynced', 1)), 'others are told');
  t.is(agenda.retriesOf('a'), 1);
});

test('GRAF-T23, GRAF-c8: a hundred thousand objects that came, failed and went leave nothing', (t) => {
  const agenda = new Agenda(opinionatedRetryDequeuePolicy);
  const [made, gone] = [arrival('created', 1), arrival('deleted', 1)];
  for (let i = 0; i < 100_000; i += 1) {
    const key = `default/o${i}`;
    agenda.arrived(key, made);
    agenda.next(key);
    agenda.plan(key, retry(made, i));
  }
  t.is(agenda.size, 100_000);
  for (let i = 0; i < 100_000; i += 1) {
    const key = `default/o${i}`;
    agenda.arrived(key, gone);
    agenda.admits(key, part, agenda.next(key)!);
  }
  t.is(agenda.size, 0);
});
