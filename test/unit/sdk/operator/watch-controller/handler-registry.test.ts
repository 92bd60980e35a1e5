import test from 'ava';
import { HandlerRegistry } from '../../../../../sdk/operator/watch-controller/handler-registry.ts';

const done = async () => ({});

test('watchers come before reconcilers, each in the order added; of several that are the same the first is removed', (t) => {
  const handlers = new HandlerRegistry();
  const [w1, w2] = [{ add: () => undefined }, {}];
  handlers.addReconciler(done, 'foo');
  for (const watcher of [w1, w2, w1]) handlers.addWatcher(watcher, 'foo');
  handlers.addWatcher(w2, 'bar');
  t.deepEqual(
    handlers.of('foo').map(({ type }) => type),
    ['watcher', 'watcher', 'watcher', 'reconciler'],
  );
  const [first, , third] = handlers.of('foo');
  handlers.removeWatcher(w1, 'foo');
  t.deepEqual([handlers.has(first!, 'foo'), handlers.has(third!, 'foo')], [false, true]);
  handlers.removeReconciler(async () => ({}), 'foo');
  handlers.removeReconciler(done, 'bar');
  t.is(handlers.of('foo').length, 3, 'what is not there is not removed');
  handlers.removeReconciler(done, 'foo');
  handlers.removeAllWatchers('foo');
  handlers.removeAllReconcilers('foo');
  t.deepEqual([handlers.of('foo').length, handlers.of('bar').length], [0, 1]);
});

const refusals: readonly (readonly [string, (handlers: HandlerRegistry) => void])[] = [
  ['watcher cannot be nil', (handlers) => handlers.addWatcher(undefined as never, '')],
  ['reconciler cannot be nil', (handlers) => handlers.addReconciler(null as never, 'foo')],
  ['resourceKind cannot be empty', (handlers) => handlers.addWatcher({}, '')],
  ['resourceKind cannot be empty', (handlers) => handlers.addReconciler(done, '')],
];
for (const [index, [message, call]] of refusals.entries())
  test(`refusal ${index + 1}: ${message}`, (t) => {
    t.throws(() => call(new HandlerRegistry()), { instanceOf: TypeError, message });
  });

test('removing nothing is not a mistake', (t) => {
  const handlers = new HandlerRegistry();
  handlers.removeWatcher(undefined as never, 'foo');
  handlers.removeReconciler(done, '');
  handlers.removeAllWatchers('foo');
  t.deepEqual(handlers.of('foo'), []);
});
