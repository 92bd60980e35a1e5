import test from 'ava';
import { Parts } from '../../../sdk/operator/parts.ts';

const done = async () => ({});

test('watchers come before reconcilers, each in the order added; of several that are the same the first is removed', (t) => {
  const parts = new Parts();
  const [w1, w2] = [{ add: () => undefined }, {}];
  parts.addReconciler(done, 'foo');
  for (const watcher of [w1, w2, w1]) parts.addWatcher(watcher, 'foo');
  parts.addWatcher(w2, 'bar');
  t.deepEqual(
    parts.of('foo').map(({ type }) => type),
    ['watcher', 'watcher', 'watcher', 'reconciler'],
  );
  const [first, , third] = parts.of('foo');
  parts.removeWatcher(w1, 'foo');
  t.deepEqual([parts.has(first!, 'foo'), parts.has(third!, 'foo')], [false, true]);
  parts.removeReconciler(async () => ({}), 'foo');
  parts.removeReconciler(done, 'bar');
  t.is(parts.of('foo').length, 3, 'what is not there is not removed');
  parts.removeReconciler(done, 'foo');
  parts.removeAllWatchers('foo');
  parts.removeAllReconcilers('foo');
  t.deepEqual([parts.of('foo').length, parts.of('bar').length], [0, 1]);
});

const refusals: readonly (readonly [string, (parts: Parts) => void])[] = [
  ['watcher cannot be nil', (parts) => parts.addWatcher(undefined as never, '')],
  ['reconciler cannot be nil', (parts) => parts.addReconciler(null as never, 'foo')],
  ['resourceKind cannot be empty', (parts) => parts.addWatcher({}, '')],
  ['resourceKind cannot be empty', (parts) => parts.addReconciler(done, '')],
];
for (const [index, [message, call]] of refusals.entries())
  test(`refusal ${index + 1}: ${message}`, (t) => {
    t.throws(() => call(new Parts()), { instanceOf: TypeError, message });
  });

test('removing nothing is no mistake', (t) => {
  const parts = new Parts();
  parts.removeWatcher(undefined as never, 'foo');
  parts.removeReconciler(done, '');
  parts.removeAllWatchers('foo');
  t.deepEqual(parts.of('foo'), []);
});
