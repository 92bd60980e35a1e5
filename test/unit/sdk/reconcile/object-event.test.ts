import test from 'ava';
import { mergeEvents, type ReconcileAction, requestWithEvent } from '../../../../sdk/reconcile/object-event.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { aWidget, Widget } from '../operator/a-widget.ts';
import { inDefault } from '../operator/controlled.ts';

const cases: readonly (readonly [ReconcileAction | undefined, ReconcileAction, ReconcileAction])[] = [
  [undefined, 'updated', 'updated'],
  ['created', 'updated', 'created'],
  ['created', 'deleted', 'deleted'],
  ['created', 'resynced', 'created'],
  ['updated', 'updated', 'updated'],
  ['updated', 'resynced', 'updated'],
  ['resynced', 'updated', 'updated'],
  ['deleted', 'created', 'created'],
];
for (const [known, next, expected] of cases)
  test(`${known ?? 'nothing'} and then ${next} are ${expected}, of the object as it is then`, (t) => {
    const [first, second] = [aWidget('a', {}, 1), aWidget('a', {}, 2)];
    const merged = mergeEvents(known && { action: known, object: first }, { action: next, object: second });
    t.like(merged, { action: expected, object: second });
  });

test('several updates go from the first old state', (t) => {
  const [a, b, c] = [1, 2, 3].map((size) => aWidget('a', {}, size)) as [Widget, Widget, Widget];
  const merged = mergeEvents<Widget>(
    { action: 'updated', object: b, previous: a },
    { action: 'updated', object: c, previous: b },
  );
  t.deepEqual(merged, { action: 'updated', object: c, previous: a });
});

test('a request about something else keeps the rest, its logger too', (t) => {
  const [object, changed] = [aWidget('a'), aWidget('a', {}, 2)];
  const request = requestFor(Widget, object, { attempt: 3 });
  const about = requestWithEvent(request, { action: 'updated', object: changed });
  t.like(about, { object: changed, attempt: 3, id: request.id });
  t.is(about.logger, request.logger);
  const gone = requestFor(Widget, inDefault('a'), { cause: 'deleted' });
  t.is(requestWithEvent(gone, { action: 'deleted', object }).object, undefined, 'what is gone stays so');
});
