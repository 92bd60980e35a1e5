import test from 'ava';
import { ConfigMap, Secret } from '../../../../../sdk/api/kinds.ts';
import { type KubeObject, keyOf } from '../../../../../sdk/api/object.ts';
import { OwnWrites } from '../../../../../sdk/client/cache/own-writes.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

const aConfigMap = (name: string, resourceVersion = '1'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'n', resourceVersion },
});

/** Record of own writes of ConfigMaps, with a store that has observed everything up to `seen.version`. */
function notes() {
  const clock = createManualClock();
  const ownWrites = new OwnWrites({ clock, deadline: 5000 });
  const seen = { version: '1' };
  const released: string[] = [];
  ownWrites.onReleased((keys) => released.push(...keys));
  const requestsOf = ({ metadata }: KubeObject) => [keyOf(metadata)];
  ownWrites.follow({ kind: ConfigMap, namespace: 'n', seen: () => seen.version, requestsOf });
  const advance = (version: string) => {
    seen.version = version;
    ownWrites.advanced(ConfigMap);
  };
  return { clock, ownWrites, released, advance };
}

test('a key waits from its write until the store has seen that version', (t) => {
  const { ownWrites, released, advance } = notes();
  ownWrites.written(ConfigMap, aConfigMap('a', '10'));
  t.true(ownWrites.isWaiting('n/a'));
  t.false(ownWrites.isWaiting('n/b'));
  advance('9');
  t.true(ownWrites.isWaiting('n/a'));
  advance('10');
  t.false(ownWrites.isWaiting('n/a'));
  t.deepEqual(released, ['n/a']);
});

test('the last write of an object is waited for, and neither those of others nor what has been seen', async (t) => {
  const { clock, ownWrites, advance } = notes();
  const seen: string[] = [];
  const wait = (name: string) => ownWrites.untilSeen(ConfigMap, name).then(() => seen.push(name));
  ownWrites.written(ConfigMap, aConfigMap('a', '10'));
  ownWrites.written(ConfigMap, aConfigMap('a', '12'));
  void wait('n/a');
  await wait('n/b');
  advance('10');
  await clock.advance(0);
  t.deepEqual(seen, ['n/b']);
  advance('12');
  await wait('n/a');
  t.deepEqual(seen, ['n/b', 'n/a', 'n/a']);
  ownWrites.written(ConfigMap, aConfigMap('a', '20'));
  const late = wait('n/a');
  await clock.advance(5_000);
  await late;
  t.is(seen.length, 4, 'it counts as seen at the deadline');
});

test('anything newer will do: a later event, a bookmark or a list', (t) => {
  const { ownWrites, released, advance } = notes();
  ownWrites.written(ConfigMap, aConfigMap('b', '12'));
  ownWrites.written(ConfigMap, aConfigMap('a', '9'));
  ownWrites.written(ConfigMap, aConfigMap('c', '200'));
  advance('100');
  t.deepEqual(released, ['n/a', 'n/b']);
  t.true(ownWrites.isWaiting('n/c'));
});

test('waits for the last of several writes of a key', (t) => {
  const { ownWrites, released, advance } = notes();
  ownWrites.written(ConfigMap, aConfigMap('a', '11'));
  ownWrites.written(ConfigMap, aConfigMap('a', '10'));
  advance('10');
  t.deepEqual(released, []);
  t.true(ownWrites.isWaiting('n/a'));
  advance('11');
  t.deepEqual(released, ['n/a']);
});

test('does not wait for what the store has seen before the answer came', (t) => {
  const { clock, ownWrites, advance } = notes();
  advance('20');
  ownWrites.written(ConfigMap, aConfigMap('a', '20'));
  t.false(ownWrites.isWaiting('n/a'));
  t.is(clock.pending, 0);
});

test('does not wait for other kinds, other namespaces, or versions that cannot be compared', (t) => {
  const { ownWrites } = notes();
  ownWrites.written(Secret, aConfigMap('a', '10') as never);
  ownWrites.written(ConfigMap, { ...aConfigMap('a'), metadata: { name: 'a', namespace: 'm', resourceVersion: '10' } });
  ownWrites.written(ConfigMap, aConfigMap('a', 'etag-7'));
  t.deepEqual(ownWrites.health(), { waiting: 0, overdue: 0 });
});

test('waits no longer than the deadline, with one timer for all', async (t) => {
  const { clock, ownWrites, released } = notes();
  ownWrites.written(ConfigMap, aConfigMap('a', '10'));
  await clock.advance(3000);
  ownWrites.written(ConfigMap, aConfigMap('b', '11'));
  t.is(clock.pending, 1);
  await clock.advance(2000);
  t.deepEqual(released, ['n/a']);
  t.deepEqual(ownWrites.health(), { waiting: 1, overdue: 1 });
  await clock.advance(3000);
  t.deepEqual(released, ['n/a', 'n/b']);
  t.deepEqual(ownWrites.health(), { waiting: 0, overdue: 2 });
  t.is(clock.pending, 0);
});

test('keeps a whole answer until its echo has passed', (t) => {
  const { ownWrites, advance } = notes();
  const written = aConfigMap('a', '10');
  ownWrites.written(ConfigMap, written);
  ownWrites.written(ConfigMap, aConfigMap('b', '11'), 'metadata');
  t.is(ownWrites.answerOf(ConfigMap, '10'), written);
  t.is(ownWrites.answerOf(ConfigMap, '11'), undefined);
  t.is(ownWrites.answerOf(Secret, '10'), undefined);
  advance('11');
  t.is(ownWrites.answerOf(ConfigMap, '10'), undefined);
});

test('tells which versions count as seen at the deadline alone', async (t) => {
  const { clock, ownWrites, advance } = notes();
  const overdue: string[] = [];
  ownWrites.onOverdue((version) => overdue.push(version));
  ownWrites.written(ConfigMap, aConfigMap('a', '10'));
  ownWrites.written(ConfigMap, aConfigMap('b', '11'));
  advance('10');
  await clock.advance(5_000);
  t.deepEqual(overdue, ['11']);
});

test('does not wait for what the watch will not show', (t) => {
  const ownWrites = new OwnWrites();
  const requestsOf = ({ metadata }: KubeObject) => [keyOf(metadata)];
  ownWrites.follow({ kind: ConfigMap, seen: () => '1', shows: ({ metadata }) => metadata.name === 'a', requestsOf });
  for (const name of ['a', 'b']) ownWrites.written(ConfigMap, aConfigMap(name, '10'));
  t.true(ownWrites.isWaiting('n/a'));
  t.false(ownWrites.isWaiting('n/b'));
});

test('what was read is compared by the stores of its kind and version', (t) => {
  const ownWrites = new OwnWrites({ clock: createManualClock() });
  const compared: string[] = [];
  const source = (kind: typeof ConfigMap, what: string) => ({
    kind,
    seen: () => '1',
    requestsOf: () => [],
    correct: ({ metadata }: KubeObject) => void compared.push(`${what} ${metadata.name}`),
  });
  ownWrites.follow(source(ConfigMap, 'ours'));
  ownWrites.follow(source({ ...ConfigMap, version: 'v2' }, 'another version'));
  const stop = ownWrites.follow(source(ConfigMap, 'stopped'));
  stop();
  ownWrites.read(ConfigMap, aConfigMap('a'));
  ownWrites.read(Secret, { ...aConfigMap('b'), kind: 'Secret' });
  t.deepEqual(compared, ['ours a']);
});
