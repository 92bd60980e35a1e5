import test, { type ExecutionContext } from 'ava';
import { createCluster, createManualClock, type FaultSpec, sweepCrashes } from '../../../cluster/index.ts';
import { askOf, type OpenWatch, watchOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });

async function start(t: ExecutionContext) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock });
  t.teardown(() => cluster.close());
  const open = (query = '') => watchOf(cluster, `${maps}?watch=true&resourceVersion=${cluster.revision}${query}`);
  const make = async (...names: readonly string[]) => {
    for (const name of names) await cluster.apply(object(name));
  };
  return { cluster, clock, ask: askOf(cluster), open, make, faults: cluster.faults };
}

const seen = async (watch: OpenWatch, count: number): Promise<string[]> =>
  (await watch.take(count)).map(({ type, object: { metadata } }) => `${type} ${metadata.name ?? ''}`.trim());

test('events are lost, or come twice, as often as said', async (t) => {
  const { open, make, faults } = await start(t);
  const watch = await open();
  const lost = faults.watches('configmaps').lose({ skip: 1, times: 1 });
  await make('a', 'b', 'c');
  lost.remove();
  faults.watches('configmaps').duplicate({ times: 1 });
  await make('d', 'e');
  t.deepEqual(await seen(watch, 5), ['ADDED a', 'ADDED c', 'ADDED d', 'ADDED d', 'ADDED e']);
  t.is(lost.hits, 1);
  watch.close();
});

test('events come later, in their order, and so does the end', async (t) => {
  const { open, make, clock, faults } = await start(t);
  const watch = await open('&timeoutSeconds=1');
  faults.watches('configmaps').delay(5000, { times: 1 });
  await make('a', 'b');
  let isDone = false;
  const all = seen(watch, 3).then((lines) => {
    isDone = true;
    return lines;
  });
  await clock.advance(4000);
  t.false(isDone);
  await clock.advance(1000);
  t.deepEqual(await all, ['ADDED a', 'ADDED b']);
});

test('a watch ends after so many events, in each of three ways', async (t) => {
  const { open, make, faults } = await start(t);
  const fault = faults.watches('configmaps').after(2).expire({ times: 1 });
  const watch = await open();
  await make('a', 'b', 'c');
  t.deepEqual(await seen(watch, 4), ['ADDED a', 'ADDED b', 'ERROR']);
  fault.remove();
  faults.watches('configmaps').after(1).end({ times: 1 });
  const second = await open();
  await make('d', 'e');
  t.deepEqual(await seen(second, 2), ['ADDED d']);
  faults.watches('configmaps').after(1).drop({ times: 1 });
  const third = await open();
  await make('f');
  await t.throwsAsync(seen(third, 2), { code: 'UND_ERR_SOCKET' });
  const fourth = await open();
  await make('g', 'h');
  t.deepEqual(await seen(fourth, 2), ['ADDED g', 'ADDED h']);
  fourth.close();
});

test('a watch lives for a while on the clock of the cluster', async (t) => {
  const { open, clock, faults } = await start(t);
  faults.watches('*').lasting(30_000).end({ times: 1 });
  const watch = await open();
  await clock.advance(30_000);
  t.deepEqual(await seen(watch, 1), []);
});

test('bookmarks are hidden, and the end of the initial events apart from them', async (t) => {
  const { cluster, make, clock, faults } = await start(t);
  const url = `${maps}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=`;
  faults.watches('configmaps').hideBookmarks();
  const watch = await watchOf(cluster, url);
  await clock.advance(60_000);
  await make('a');
  t.deepEqual(await seen(watch, 3), ['ADDED kube-root-ca.crt', 'BOOKMARK', 'ADDED a']);
  faults.clear();
  faults.watches('configmaps').hideInitialEnd();
  const second = await watchOf(cluster, url);
  await make('b');
  t.deepEqual(await seen(second, 3), ['ADDED a', 'ADDED kube-root-ca.crt', 'ADDED b']);
  watch.close();
  second.close();
});

test('streaming lists are refused as by a server without them', async (t) => {
  const { ask, faults } = await start(t);
  faults.watches('configmaps').refuseStreaming();
  const { status, body } = await ask(`GET ${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
  t.is(status, 422);
  t.regex(String(body.message), /forbidden for watch unless the WatchList feature gate is enabled/);
});

test('a frozen cache answers what was there, to requests that accept old data, and no watch gets on', async (t) => {
  const { cluster, ask, open, make, faults } = await start(t);
  await make('a');
  const watch = await open();
  const { revision } = cluster;
  const frozen = faults.cache('configmaps', { userAgent: 'lagging' }).freeze();
  const everywhere = faults.cache('configmaps').freeze();
  await make('b');
  const namesFor = async (query: string, agent: string) => {
    const { body } = await ask(`GET ${maps}${query}`, undefined, { 'user-agent': agent });
    const names = (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    return { names, version: (body.metadata as { resourceVersion: string }).resourceVersion };
  };
  t.deepEqual(await namesFor('?resourceVersion=0&limit=500', 'lagging'), {
    names: ['a', 'kube-root-ca.crt'],
    version: String(revision),
  });
  t.deepEqual((await namesFor('', 'lagging')).names, ['a', 'b', 'kube-root-ca.crt']);
  everywhere.remove();
  t.deepEqual(await seen(watch, 1), ['ADDED b']);
  t.deepEqual((await namesFor('?resourceVersion=0', 'up-to-date')).names, ['a', 'b', 'kube-root-ca.crt']);
  t.deepEqual((await namesFor('?resourceVersion=0', 'lagging')).names, ['a', 'kube-root-ca.crt']);
  frozen.remove();
  t.deepEqual((await namesFor('?resourceVersion=0', 'lagging')).names, ['a', 'b', 'kube-root-ca.crt']);
  watch.close();
});

test('a cache is so many revisions behind, and never before what is known', async (t) => {
  const { cluster, ask, make, faults } = await start(t);
  await make('a', 'b');
  faults.cache('configmaps').behind(1);
  const namesOf = async () => {
    const { body } = await ask(`GET ${maps}?resourceVersion=0`);
    return (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  };
  t.deepEqual(await namesOf(), ['a', 'kube-root-ca.crt']);
  cluster.compact();
  t.deepEqual(await namesOf(), ['a', 'b', 'kube-root-ca.crt']);
});

test('a client dies after its nth write, with its watches, until it is brought up again', async (t) => {
  const { cluster, ask, faults } = await start(t);
  const agent = { 'user-agent': 'operator/1' };
  const create = (name: string) => ask(`POST ${maps}`, object(name), agent);
  const crash = faults.client({ userAgent: 'operator' }).crash({ writes: 2 });
  await create('a');
  t.is((await ask(`GET ${maps}`, undefined, agent)).status, 200);
  await t.throwsAsync(create('b'), { code: 'UND_ERR_SOCKET' });
  t.not(cluster.get(object('b'), { namespace: 'default', name: 'b' }), undefined);
  await t.throwsAsync(ask(`GET ${maps}`, undefined, agent));
  t.is((await ask(`GET ${maps}`)).status, 200);
  t.is(crash.hits, 1);
  crash.remove();
  t.is((await create('c')).status, 201);
});

test('a sweep crashes after each write once, each time on a fork', async (t) => {
  const { cluster } = await start(t);
  const left: number[] = [];
  const crashes = await sweepCrashes({ cluster, client: { userAgent: 'operator' } }, async (run) => {
    const ask = askOf(run.cluster);
    const step = (name: string) => ask(`POST ${maps}`, object(name), { 'user-agent': 'operator' });
    await step('a')
      .then(() => step('b'))
      .catch(() => {});
    left.push(run.cluster.list(object(''), 'default').length - 1);
  });
  t.is(crashes, 2);
  t.deepEqual(left, [1, 2, 2]);
  t.is(cluster.list(object(''), 'default').length, 1);
  const endless = sweepCrashes({ cluster, client: { user: 'kubernetes-admin' }, most: 3 }, async (run) => {
    const ask = askOf(run.cluster);
    for (let count = 0; count < 9; count += 1) await ask(`POST ${maps}`, object(`x${count}`)).catch(() => {});
  });
  await t.throwsAsync(endless, { message: /still a crash after 3 writes/ });
});

test('faults are set by a sentence or as data, listed, and removed by name', async (t) => {
  const { ask, faults } = await start(t);
  faults.add('list configmaps answer 503, once');
  faults.add({ watches: 'configmaps', do: 'hold' });
  t.deepEqual(
    faults.list().map(({ id, sentence, hits }) => [id, sentence, hits]),
    [
      [1, 'list configmaps answer 503, once', 0],
      [2, 'watches configmaps hold', 0],
    ],
  );
  t.is((await ask(`GET ${maps}`)).status, 503);
  t.is(faults.list()[0]?.hits, 1);
  for (const fault of faults.list()) fault.remove();
  t.deepEqual(faults.list(), []);
});

test('held watches continue when the fault is removed', async (t) => {
  const { open, make, faults } = await start(t);
  const watch = await open();
  const hold = faults.add('watches configmaps hold');
  await make('a');
  hold.remove();
  t.deepEqual(await seen(watch, 1), ['ADDED a']);
  watch.close();
});

test('data that is not a fault, or one that can never happen, is refused', async (t) => {
  const { faults } = await start(t);
  const refused = (spec: object, message: RegExp) =>
    t.throws(() => faults.add(spec as FaultSpec), { instanceOf: TypeError, message });
  refused({}, /has one of on, watches, cache, client/);
  refused({ on: 'get', resource: 'configmaps', do: 'drop', time: 1 }, /has no "time"; it has on, resource/);
  refused({ on: 'get', resource: 'configmaps', scope: { ns: 'a' }, do: 'drop' }, /a scope has no "ns"/);
  refused({ on: 'get', resource: 'configmaps', do: { answer: 200 } }, /from 400 to 599, not 200/);
  refused({ on: 'get', resource: 'configmaps', do: { delay: -1 } }, /delay is -1/);
  refused({ on: 'get', resource: 'configmaps', when: 'soon', do: 'drop' }, /"when" is before or after/);
  refused({ on: 'get', resource: 'gadgets', do: 'drop' }, /serves no "gadgets"/);
  refused({ watches: 'configmaps', do: { drop: { events: 0 } } }, /events is 0/);
  refused({ watches: 'configmaps', do: { drop: 3 } }, /must be \{"events": 3\}/);
  refused({ watches: 'subjectaccessreviews', do: 'lose' }, /no client can watch/);
  refused({ cache: 'configmaps', do: { behind: 0 } }, /behind is 0/);
  refused({ client: {}, do: { crash: { writes: 1 } } }, /named by its user or its userAgent/);
  refused({ client: { user: 'a' }, do: { crash: { writes: 0.5 } } }, /writes is 0.5/);
  t.deepEqual(faults.list(), []);
});
