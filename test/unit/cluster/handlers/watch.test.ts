import test from 'ava';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../cluster/index.ts';
import { askOf, watchOf } from '../fixtures/ask.ts';

const path = '/api/v1/namespaces/default/secrets';
const secret = (name: string, labels: Record<string, string> = {}) => ({ metadata: { name, labels } });

async function start(options = {}) {
  const cluster = await createCluster(options);
  return { cluster, ask: askOf(cluster) };
}

test('starts with what is there, then tells what happens', async (t) => {
  const { cluster, ask } = await start();
  await ask(`POST ${path}`, secret('a'));
  const watch = await watchOf(cluster, `${path}?watch=true`);
  await ask(`PATCH ${path}/a`, { metadata: { labels: { x: 'y' } } });
  await ask(`DELETE ${path}/a`);
  const lines = await watch.take(3);
  t.deepEqual(
    lines.map(({ type }) => type),
    ['ADDED', 'MODIFIED', 'DELETED'],
  );
  const versions = lines.map(({ object }) => Number(object.metadata.resourceVersion));
  t.true(versions[0]! < versions[1]! && versions[1]! < versions[2]!);
});

test('a version in the past replays what came after it', async (t) => {
  const { cluster, ask } = await start();
  const since = cluster.revision;
  await ask(`POST ${path}`, secret('a'));
  await ask(`POST ${path}`, secret('b'));
  const watch = await watchOf(cluster, `${path}?watch=true&resourceVersion=${since + 1}`);
  t.deepEqual(
    (await watch.take(1)).map(({ object }) => object.metadata.name),
    ['b'],
  );
});

test('a version from before the compaction gets one ERROR and the end', async (t) => {
  const { cluster, ask } = await start();
  const since = cluster.revision;
  await ask(`POST ${path}`, secret('a'));
  cluster.compact();
  const watch = await watchOf(cluster, `${path}?watch=true&resourceVersion=${since}`);
  t.like(await watch.take(2), [{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }] as never);
});

test('objects that start and stop matching a selector are added and deleted', async (t) => {
  const { cluster, ask } = await start();
  const watch = await watchOf(cluster, `${path}?watch=true&labelSelector=on%3Dyes&resourceVersion=${cluster.revision}`);
  await ask(`POST ${path}`, secret('a', { on: 'no' }));
  const { body: on } = await ask(`PATCH ${path}/a`, { metadata: { labels: { on: 'yes' } } });
  const { body: off } = await ask(`PATCH ${path}/a`, { metadata: { labels: { on: 'no' } } });
  const [added, deleted] = await watch.take(2);
  t.like(added, {
    type: 'ADDED',
    object: { metadata: { resourceVersion: (on.metadata as { resourceVersion: string }).resourceVersion } },
  });
  t.is(deleted?.type, 'DELETED');
  t.deepEqual(deleted?.object.metadata.labels, { on: 'yes' });
  t.is(deleted?.object.metadata.resourceVersion, (off.metadata as { resourceVersion: string }).resourceVersion);
});

test('a streaming list ends its first part with a bookmark', async (t) => {
  const { cluster, ask } = await start();
  await ask(`POST ${path}`, secret('a'));
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watch = await watchOf(cluster, `${path}?${query}`);
  const [, bookmark] = await watch.take(2);
  t.is(bookmark?.type, 'BOOKMARK');
  t.deepEqual(bookmark?.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
  t.is(bookmark?.object.metadata.resourceVersion, String(cluster.revision));
});

test('bookmarks come in the form that was asked for', async (t) => {
  const { cluster, ask } = await start();
  await ask(`POST ${path}`, secret('a'));
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const inForm = async (as: string) => {
    const accept = `application/json;as=${as};v=v1;g=meta.k8s.io`;
    const watch = await watchOf(cluster, `${path}?${query}`, { accept });
    return (await watch.take(2))[1]?.object as object;
  };
  const metadata = { resourceVersion: String(cluster.revision), annotations: { 'k8s.io/initial-events-end': 'true' } };
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
  t.deepEqual(await inForm('PartialObjectMetadata'), partial);
  t.deepEqual(await inForm('Table'), {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: metadata.resourceVersion },
    columnDefinitions: null,
    rows: [{ cells: ['', '', 0, '<unknown>'], object: partial }],
  });
});

test('sends bookmarks by the clock, and ends when its time is over', async (t) => {
  const clock = createManualClock();
  const { cluster } = await start({ clock, bookmarkInterval: 10_000 });
  const watch = await watchOf(
    cluster,
    `${path}?watch=true&allowWatchBookmarks=true&timeoutSeconds=25&resourceVersion=${cluster.revision}`,
  );
  await clock.advance(30_000);
  const types = (await watch.take(9)).map(({ type }) => type);
  t.deepEqual(types, ['BOOKMARK', 'BOOKMARK', 'BOOKMARK']);
  t.is(clock.pending, 0);
});

test('a watcher that goes away leaves no timer behind', async (t) => {
  const clock = createManualClock();
  const { cluster } = await start({ clock });
  const watch = await watchOf(cluster, `${path}?watch=true&allowWatchBookmarks=true`);
  t.true(clock.pending > 0);
  watch.close();
  await clock.advance(0);
  t.is(clock.pending, 0);
});

test('all watchers of a form get the same bytes, other forms get their own', async (t) => {
  const { cluster, ask } = await start();
  const { request } = await import('undici');
  const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
  const open = (headers = {}) =>
    request(`${cluster.url}${path}?watch=true&resourceVersion=${cluster.revision}`, {
      dispatcher: cluster.dispatcher,
      headers,
    });
  const [one, other, partial] = await Promise.all([open(), open(), open({ accept })]);
  await ask(`POST ${path}`, { ...secret('a'), stringData: { k: 'v' } });
  const first = async ({ body }: typeof one) => String((await body[Symbol.asyncIterator]().next()).value);
  const [a, b, c] = await Promise.all([first(one), first(other), first(partial)]);
  t.is(a, b);
  t.like(JSON.parse(a), { object: { kind: 'Secret', data: { k: 'dg==' } } });
  t.like(JSON.parse(c), { object: { kind: 'PartialObjectMetadata' } });
  t.false(c.includes('dg=='));
});
