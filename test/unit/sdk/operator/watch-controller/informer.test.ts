import test from 'ava';
import { Namespace } from '../../../../../sdk/api/kinds.ts';
import { informer } from '../../../../../sdk/operator/watch-controller/informer.ts';
import { Widget } from '../a-widget.ts';

test('an informer says what it follows', (t) => {
  t.deepEqual(informer(Widget).selection, {});
  const selection = { namespace: 'n', labels: 'a=b,c!=d', fields: 'metadata.name=x,spec.y=z' };
  t.deepEqual(informer(Widget, { selection }).selection, selection);
  t.is(informer(Widget, { resyncInterval: 5 }).resyncInterval, 5);
});

test('options that make no sense are refused', (t) => {
  const refused = (call: () => unknown, message: string | RegExp) => t.throws(call, { instanceOf: TypeError, message });
  refused(() => informer(undefined as never), 'schema cannot be nil');
  refused(() => informer(Namespace, { selection: { namespace: 'n' } }), /namespaces: the kind is not namespaced/);
  refused(() => informer(Widget, { resync: 5 } as never), /resync is not an option; known are selection/);
  refused(() => informer(Widget, { resyncInterval: 0 }), /resyncInterval must be more than 0 ms, found 0/);
});
