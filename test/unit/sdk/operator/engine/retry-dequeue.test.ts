import test from 'ava';
import { dequeueAll, opinionatedRetryDequeuePolicy } from '../../../../../sdk/operator/engine/retry-dequeue.ts';
import type { ReconcileAction } from '../../../../../sdk/reconcile/object-event.ts';
import { aWidget } from '../a-widget.ts';

type Side = readonly [ReconcileAction, generation?: number];
const cases: readonly (readonly [string, Side, Side, boolean])[] = [
  ['a deletion drops whatever waits', ['deleted', 2], ['created', 2], true],
  ['a deletion drops a deletion', ['deleted', 2], ['deleted', 2], true],
  ['an update keeps a creation', ['updated', 2], ['created', 1], false],
  ['an update of the same generation keeps an update', ['updated', 2], ['updated', 2], false],
  ['an update of another generation drops an update', ['updated', 3], ['updated', 2], true],
  ['a deletion drops without looking at the objects', ['deleted'], ['updated'], true],
  ['other actions keep without looking at the objects', ['created'], ['updated'], false],
];
const side = ([action, generation]: Side) => ({
  action,
  object: generation === undefined ? undefined : aWidget('a', { generation }),
});
for (const [title, event, retry, drops] of cases)
  test(`GRAF-T5: ${title}`, (t) => {
    t.is(opinionatedRetryDequeuePolicy(side(event), { ...side(retry), error: undefined }), drops);
    t.true(dequeueAll(side(event), { ...side(retry), error: undefined }));
  });
