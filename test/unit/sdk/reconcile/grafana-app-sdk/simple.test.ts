import test from 'ava';
import { simple } from '../../../../../sdk/reconcile/grafana-app-sdk/simple.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aWidget, Widget } from '../../operator/a-widget.ts';
import { inDefault } from '../../operator/controlled.ts';

test('without a handler it is always done', async (t) => {
  t.deepEqual(await simple<Widget>()(requestFor(Widget, aWidget('a'))), {});
});

test('a function sees the action, and the object even after its deletion', async (t) => {
  const seen: unknown[] = [];
  const reconcile = simple<Widget>(async ({ action, object, previous, state }) => {
    seen.push([action, object.spec.size, previous?.spec.size, state?.n]);
    return undefined;
  });
  const [old, last] = [aWidget('a', {}, 1), aWidget('a', {}, 2)];
  t.deepEqual(await reconcile(requestFor(Widget, last, { cause: 'created', state: { n: 7 } })), {});
  await reconcile(requestFor(Widget, last, { event: { action: 'updated', object: last, previous: old } }));
  await reconcile(requestFor(Widget, inDefault('a'), { cause: 'retry', event: { action: 'deleted', object: last } }));
  t.deepEqual(seen, [
    ['created', 2, undefined, 7],
    ['updated', 2, 1, undefined],
    ['deleted', 2, undefined, undefined],
  ]);
});

test('something gone of which nothing is known calls no handler', async (t) => {
  t.deepEqual(await simple<Widget>(async () => t.fail() as never)(requestFor(Widget, inDefault('a'))), {});
});
