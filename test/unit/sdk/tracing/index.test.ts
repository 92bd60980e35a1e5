import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { createClient } from '../../../../sdk/client/http/create-client.ts';
import { createTracing } from '../../../../sdk/tracing/index.ts';
import { aServerInVirtualTime } from '../a-server-in-virtual-time.ts';
import { theWidgets, Widget, watching } from '../operator/a-widget.ts';
import { controlled } from '../operator/controlled.ts';

/** An observer, and the ended spans: `name < parent's name`. */
function traced() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const { observer } = createTracing({ tracer: provider.getTracer('test') });
  const spans = () => exporter.getFinishedSpans();
  const chains = () =>
    spans().map(({ name, parentSpanContext }) => {
      const parent = spans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
      return parent === undefined ? name : `${name} < ${parent.name}`;
    });
  const find = (name: string) => spans().filter((span) => span.name === name);
  return { observer, chains, find, reset: () => exporter.reset() };
}

test('GRAF-T21: a call is a child of its event, and so are its retries, asked for or not', async (t) => {
  const server = await theWidgets();
  const { observer, chains, find } = traced();
  const { controller, run } = await watching(server, { observer });
  let calls = 0;
  controller.addWatcher(
    {
      update: () => {
        calls += 1;
        if (calls === 1) throw new Error('not yet');
      },
    },
    'foo',
  );
  controller.addReconciler(async ({ cause }) => (cause === 'updated' ? { requeueAfter: 1000 } : {}), 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(100);
  await server.resize('a', 2);
  await server.clock.advance(10_000);
  await server.remove('a');
  await server.clock.advance(100);
  const own = chains().filter((chain) => /controller|informer-event/.test(chain));
  t.deepEqual(own, [
    'controller-event-add < informer-event-add',
    'controller-event-reconcile < informer-event-add',
    'informer-event-add',
    'controller-event-update < informer-event-update',
    'controller-event-reconcile < informer-event-update',
    'informer-event-update',
    'controller-retry < informer-event-update',
    'controller-retry < informer-event-update',
    'controller-event-delete < informer-event-delete',
    'controller-event-reconcile < informer-event-delete',
    'informer-event-delete',
  ]);
  const [update] = find('informer-event-update');
  t.deepEqual(update!.attributes, {
    'kind.name': 'Widget',
    'kind.group': 'example.com',
    'kind.version': 'v1',
    namespace: server.namespace,
    name: 'a',
  });
  t.like(update!.status, { code: 2, message: 'not yet' });
  t.like(find('controller-event-update')[0]!.status, { code: 2, message: 'not yet' });
  t.is(find('informer-event-add')[0]!.status.code, 0);
});

test('lists, watches and requests have spans that say where and how they ended', async (t) => {
  const server = await theWidgets();
  const { observer, chains, find } = traced();
  const { cluster, clock, namespace } = server;
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock, observer });
  cluster.intercept(async (request, next) =>
    request.url.includes('sendInitialEvents') ? { status: 422, headers: {}, body: '' } : next(request),
  );
  const { run, stop } = await watching({ ...server, client }, { observer });
  void run();
  await clock.advance(100);
  await t.throwsAsync(client.get(Widget, server.key('a')));
  stop.abort();
  await clock.advance(100);
  t.deepEqual(chains(), [
    'kubernetes-watch',
    'informer-watch',
    'kubernetes-list',
    'informer-list',
    'kubernetes-get',
    'kubernetes-watch',
    'informer-watch',
  ]);
  const { hostname } = new URL(cluster.url);
  t.like(find('kubernetes-get')[0]!.attributes, {
    'http.response.status_code': 404,
    'http.request.method': 'GET',
    'server.address': hostname,
    'url.full': `${cluster.url}/apis/example.com/v1/namespaces/${namespace}/widgets/a`,
  });
  t.is(find('kubernetes-get')[0]!.status.code, 2);
  t.is(find('kubernetes-list')[0]!.attributes['http.response.status_code'], 200);
  t.like(find('informer-list')[0]!.attributes, { 'kind.name': 'Widget', namespace });
  t.is(find('kubernetes-watch')[0]!.attributes['http.response.status_code'], 422);
});

test('a run of a plain controller is a span', async (t) => {
  const server = await aServerInVirtualTime();
  const { observer, find } = traced();
  await server.client.create(ConfigMap, { metadata: server.key('a') });
  controlled(server, async () => ({}), { observer, name: 'maps' });
  await server.clock.advance(100);
  t.like(find('controller-reconcile')[0]!.attributes, {
    controller: 'maps',
    'kind.name': 'ConfigMap',
    name: 'a',
    cause: 'created',
  });
});

test('without a tracer the global one is asked, which does nothing until there is one', async (t) => {
  const { observer } = createTracing();
  const source = { controller: 'c', group: '', version: 'v1', kind: 'Pod', namespace: undefined };
  t.is(await observer.list(source, async () => 5), 5);
});
