import test from 'ava';
import { ConfigMap, Namespace } from '../../../../../sdk/api/kinds.ts';
import type { KubeObject } from '../../../../../sdk/api/object.ts';
import { problemsOf } from '../../../../../sdk/operator/engine/health.ts';
import { informer } from '../../../../../sdk/operator/watch-controller/informer.ts';
import { type ReconcileRequest, simple } from '../../../../../sdk/reconcile/grafana-app-sdk/simple.ts';
import type { Interceptor } from '../../../../cluster/index.ts';
import { theWidgets, Widget, type Widgets, watching } from '../a-widget.ts';
import { until } from '../controlled.ts';

const isWatch = (url: string): boolean => url.includes('watch=true');
const failing: Interceptor = async () => ({ status: 500, headers: {}, body: 'out of order' });

/** A controller that records all of its notifications. */
async function told(server: Widgets, options: Parameters<typeof watching>[1] = {}) {
  const log: string[] = [];
  const world = await watching(server, options);
  const note = simple<Widget>(async ({ action, object }: ReconcileRequest<Widget>) => {
    log.push(`${action} ${object.metadata.name}${object.spec.size}`);
    return {};
  });
  world.controller.addReconciler<Widget>(note, 'foo');
  return { ...world, log, note };
}

/** Ends the watches of a server on demand, cleanly or by silence. */
function watchesOf({ cluster }: Widgets) {
  const open = new Set<() => void>();
  let isMute = false;
  let requests = 0;
  cluster.intercept(async (request, next) => {
    requests += 1;
    const response = await next(request);
    const { stream } = response;
    if (stream === undefined || !isWatch(request.url)) return response;
    return {
      ...response,
      stream: (sink) => {
        const end = () => {
          open.delete(end);
          sink.end();
        };
        open.add(end);
        return stream({ write: (chunk) => (isMute ? undefined : sink.write(chunk)), end });
      },
    };
  });
  return {
    end: () => [...open].forEach((end) => void end()),
    mute: (mute: boolean) => {
      isMute = mute;
    },
    requests: () => requests,
  };
}

test('GRAF-T18, GRAF-c4: what was deleted while the watch was lost is reported once, with its last state, and nothing else is', async (t) => {
  const server = await theWidgets();
  for (const name of ['a', 'b']) await server.create(name);
  const watches = watchesOf(server);
  const { log, run, failures, controller } = await told(server);
  void run();
  await until(server.clock, () => log.length === 2);
  await server.clock.advance(10_000);
  const undo = server.cluster.intercept(failing);
  watches.end();
  await server.clock.advance(100);
  undo();
  t.true(failures.length > 0);
  t.like(failures[0], { type: 'informer', resourceKind: 'foo', resource: 'widgets.example.com' });
  await server.remove('a');
  await server.forget();
  for (let second = 0; second < 60 && log.length === 2; second += 1) await server.clock.advance(1000);
  await server.clock.advance(10_000);
  t.deepEqual(log.slice(2), ['deleted a1']);
  t.is(controller.health().sources[0]?.lists, 2);
});

test('GRAF-T19, GRAF-c10, GRAF-c19: an informer outlives errors, ends and silence, does not hammer, and is not ready while nothing works', async (t) => {
  const server = await theWidgets();
  const undo = server.cluster.intercept(failing);
  const watches = watchesOf(server);
  const world = await told(server, {
    errorHandler: () => {
      throw new Error('a handler that throws');
    },
  });
  const { log, controller } = world;
  void controller.run(world.stop.signal);
  await server.clock.advance(2000);
  t.true(watches.requests() < 5, `${watches.requests()} requests in 2 s`);
  t.regex(problemsOf(controller.health())[0] ?? '', /widgets.example.com not listed yet: .*out of order/);
  undo();
  await server.create('a');
  await server.clock.advance(60_000);
  t.deepEqual(log, ['created a1']);

  for (let i = 0; i < 1000; i += 1) {
    await server.clock.advance(6000);
    watches.end();
  }
  await server.resize('a', 2);
  await server.clock.advance(60_000);
  t.deepEqual(log.slice(1), ['updated a2'], 'a thousand clean ends later');
  t.is(controller.health().sources[0]?.lists, 1, 'it never had to list again: bookmarks and events moved its version');

  watches.mute(true);
  await server.resize('a', 3);
  await server.clock.advance(60_000);
  t.is(log.length, 2, 'half open: nothing comes');
  watches.mute(false);
  await server.clock.advance(100_000);
  t.deepEqual(log.slice(2), ['updated a3']);

  const down = server.cluster.intercept(failing);
  watches.end();
  await server.clock.advance(400_000);
  t.regex(problemsOf(controller.health())[0] ?? '', /no list or watch event for 4\d{5} ms/);
  down();
});

test('GRAF-T20: an informer that is added while all runs starts, one that is removed stops', async (t) => {
  const server = await theWidgets();
  await server.create('a');
  const { log, run, controller, widgets } = await told(server);
  void run();
  await until(server.clock, () => log.length === 1);
  const maps = informer(ConfigMap, { selection: { namespace: server.namespace } });
  const seen: string[] = [];
  controller.addWatcher<ConfigMap>({ add: ({ metadata }) => void seen.push(metadata.name) }, 'bar');
  controller.addInformer(maps, 'bar');
  await server.client.create(ConfigMap, { metadata: server.key('m') });
  await until(server.clock, () => seen.length === 1);
  await controller.synced;
  t.throws(() => controller.addInformer(maps, 'bar'), { message: 'informer for resource kind already added' });

  const removed = controller.removeInformer(widgets, 'foo');
  await server.clock.advance(0);
  await removed;
  await server.create('b');
  await server.client.create(ConfigMap, { metadata: server.key('n') });
  await until(server.clock, () => seen.length === 2);
  t.deepEqual(log, ['created a1']);
  t.is(controller.health().sources.length, 1);
  t.throws(() => controller.storeOf(widgets), { message: /was not added/ });
  await controller.removeInformer(widgets, 'foo');
});

test('GRAF-T20, GRAF-c19: what runs when the controller is stopped is waited for, up to a limit', async (t) => {
  const server = await theWidgets();
  await server.create('a');
  const { run, controller, stop } = await watching(server, { drain: 3000 });
  let ends = 0;
  controller.addReconciler<Widget>(async ({ object }) => {
    await server.clock.sleep(object?.spec.size === 1 ? 200 : 1_000_000);
    ends += 1;
    return {};
  }, 'foo');
  const ended = run();
  await until(server.clock, () => controller.health().queue.running === 1);
  stop.abort();
  await server.clock.advance(200);
  await ended;
  t.is(ends, 1);
  await t.throwsAsync(controller.run(stop.signal), { message: /started before/ });

  const other = await watching(server, { drain: 3000, name: 'other' });
  await server.resize('a', 2);
  other.controller.addReconciler<Widget>(async () => new Promise(() => undefined), 'foo');
  const never = other.run();
  await until(server.clock, () => other.controller.health().queue.running === 1);
  other.stop.abort();
  await server.clock.advance(5000);
  await t.throwsAsync(never, {
    message: `controller other: still running after the drain time: ${server.namespace}/a`,
  });
});

test('GRAF-T22: namespace and selectors go with every list and watch; a cluster-scoped kind has no namespace', async (t) => {
  const server = await theWidgets();
  const urls: string[] = [];
  server.cluster.intercept(async (request, next) => {
    if (request.url.includes('sendInitialEvents')) return { status: 422, headers: {}, body: '' };
    urls.push(request.url);
    return next(request);
  });
  const { controller, run, widgets } = await watching(server);
  await controller.removeInformer(widgets, 'foo');
  const selection = { namespace: 'n', labels: 'a=b,c!=d', fields: 'metadata.name=x' };
  controller.addInformer(informer(Widget, { selection }), 'foo');
  void run();
  await until(server.clock, () => urls.some(isWatch));
  t.deepEqual(urls.slice(0, 2).map(isWatch), [false, true]);
  for (const url of urls) {
    const { pathname, searchParams } = new URL(url, 'http://a');
    t.is(pathname, '/apis/example.com/v1/namespaces/n/widgets');
    t.is(searchParams.get('labelSelector'), 'a=b,c!=d');
    t.is(searchParams.get('fieldSelector'), 'metadata.name=x');
  }
  t.throws(() => informer(Namespace, { selection }), { message: /not namespaced, leave the namespace \(n\) out/ });
});

test('GRAF-c9: two informers that share an object never have it worked on twice at once', async (t) => {
  const server = await theWidgets();
  await server.create('a', { labels: { x: 'y' } });
  const { controller, run, stop } = await watching(server);
  controller.addInformer(informer(Widget, { selection: { namespace: server.namespace, labels: 'x=y' } }), 'foo');
  let active = 0;
  let most = 0;
  let calls = 0;
  controller.addWatcher<KubeObject>(
    {
      add: async () => {
        active += 1;
        most = Math.max(most, active);
        await server.clock.sleep(100);
        active -= 1;
        calls += 1;
      },
    },
    'foo',
  );
  void run();
  await server.clock.advance(1000);
  t.deepEqual([calls, most], [2, 1]);
  stop.abort();
});

test('a resync tells every object, not those that wait for a retry', async (t) => {
  const server = await theWidgets();
  for (const name of ['a', 'b']) await server.create(name);
  const { controller, run } = await watching(server, { resyncInterval: 30_000 });
  const log: string[] = [];
  controller.addWatcher<Widget>(
    {
      add: ({ metadata }) => {
        log.push(`add ${metadata.name}`);
        if (metadata.name === 'a') throw new Error('no');
      },
      sync: ({ metadata }) => void log.push(`sync ${metadata.name}`),
    },
    'foo',
  );
  void run();
  await server.clock.advance(31_000);
  t.deepEqual(log, ['add a', 'add b', 'add a', 'add a', 'sync b']);
});
