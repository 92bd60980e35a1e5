import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { createClient } from '../../../../sdk/client/http/create-client.ts';
import { GiveUpError, StaleError } from '../../../../sdk/errors.ts';
import { createMetrics } from '../../../../sdk/metrics/index.ts';
import { informer } from '../../../../sdk/operator/watch-controller/informer.ts';
import { done } from '../../../../sdk/reconcile/reconciler.ts';
import { aServerInVirtualTime } from '../a-server-in-virtual-time.ts';
import { theWidgets, Widget, watching } from '../operator/a-widget.ts';
import { aConfigMap, controlled, until } from '../operator/controlled.ts';

/** Samples of a name, with labels in any order: `name{a="b"} 1` as `[labels, value]`. */
async function samplesOf(metrics: ReturnType<typeof createMetrics>, name: string) {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

test('GRAF-T21, GRAF-c13: events, calls and errors are counted under their types, and gauges come back to nothing', async (t) => {
  const server = await theWidgets();
  const metrics = createMetrics({ clock: server.clock });
  const { controller, run } = await watching(server, { observer: metrics.observer, name: 'c' });
  controller.addInformer(
    informer(Widget, { selection: { namespace: server.namespace, labels: 'never=there' } }),
    'foo',
  );
  let isFailing = true;
  const update = async () => {
    await server.clock.sleep(2000);
    if (isFailing) throw new Error('no');
  };
  controller.addWatcher({ update }, 'foo');
  controller.addReconciler(async () => done, 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(100);
  await server.resize('a', 2);
  await server.clock.advance(1000);
  const [update1, create1] = ['{event_type="UPDATE",kind="Widget"}', '{event_type="CREATE",kind="Widget"}'];
  t.is((await samplesOf(metrics, 'ongoing_reconcile_processes'))[update1], 1);
  t.deepEqual(await samplesOf(metrics, 'controller_runtime_active_workers'), { '{controller="c"}': 1 });
  t.is((await samplesOf(metrics, 'workqueue_longest_running_processor_seconds'))['{name="c",controller="c"}'], 1);
  await server.clock.advance(1000);
  isFailing = false;
  t.deepEqual(await samplesOf(metrics, 'informer_events_total'), { [create1]: 1, [update1]: 1 });
  t.deepEqual(await samplesOf(metrics, 'watcher_errors_total'), { [update1]: 1 });
  t.deepEqual(await samplesOf(metrics, 'reconciler_errors_total'), {});
  await server.clock.advance(10_000);
  t.deepEqual(
    await samplesOf(metrics, 'watcher_process_duration_seconds_count'),
    { [create1]: 1, [update1]: 2 },
    'GRAF-c13: retries count',
  );
  t.deepEqual(await samplesOf(metrics, 'reconciler_process_duration_seconds_sum'), { [create1]: 0, [update1]: 0 });
  t.is((await samplesOf(metrics, 'informer_reconcile_duration_seconds_sum'))[update1], 2);
  await server.remove('a');
  await server.clock.advance(100);
  for (const gauge of ['ongoing_reconcile_processes', 'ongoing_reconcile_events'])
    t.deepEqual(
      await samplesOf(metrics, gauge),
      { [create1]: 0, [update1]: 0, '{event_type="DELETE",kind="Widget"}': 0 },
      'GRAF-c13: a deletion counts under its own type',
    );
});

/** Names and types of all metrics. */
const names = [
  'app_informer_errors_total counter',
  'app_informer_events_total counter',
  'app_informer_reconcile_duration_seconds histogram',
  'app_kubernetes_client_request_duration_seconds histogram',
  'app_kubernetes_client_requests_total counter',
  'app_kubernetes_client_watch_errors_total counter',
  'app_kubernetes_client_watch_events_total counter',
  'app_ongoing_reconcile_events gauge',
  'app_ongoing_reconcile_processes gauge',
  'app_reconciler_errors_total counter',
  'app_reconciler_process_duration_seconds histogram',
  'app_watcher_errors_total counter',
  'app_watcher_process_duration_seconds histogram',
  'controller_runtime_active_workers gauge',
  'controller_runtime_max_concurrent_reconciles gauge',
  'controller_runtime_reconcile_errors_total counter',
  'controller_runtime_reconcile_time_seconds histogram',
  'controller_runtime_reconcile_total counter',
  'controller_runtime_terminal_reconcile_errors_total counter',
  'controller_runtime_webhook_latency_seconds histogram',
  'controller_runtime_webhook_requests_total counter',
  'leader_election_master_status gauge',
  'operatorkit_controller_operation histogram',
  'operatorkit_controller_operation_error_total counter',
  'operatorkit_controller_operation_total counter',
  'rest_client_requests_total counter',
  'webhook_reviews_total counter',
  'workqueue_adds_total counter',
  'workqueue_depth gauge',
  'workqueue_longest_running_processor_seconds gauge',
  'workqueue_queue_duration_seconds histogram',
  'workqueue_retries_total counter',
  'workqueue_stalled_seconds gauge',
  'workqueue_unfinished_work_seconds gauge',
  'workqueue_work_duration_seconds histogram',
  'workspace_circuit_breakers gauge',
  'workspace_condition_oldest_seconds gauge',
  'workspace_conditions gauge',
  'workspace_drift_total counter',
  'workspace_external_call_duration_seconds histogram',
  'workspace_external_calls_total counter',
  'workspace_guard_recoveries_total counter',
  'workspace_refused_writes_total counter',
];

test('GRAF-T21: names, labels and buckets are those of the originals', async (t) => {
  const metrics = createMetrics({ namespace: 'app' });
  const described = (await metrics.registry.getMetricsAsJSON()).map(({ name, type }) => `${name} ${type}`);
  t.deepEqual(described.toSorted(), names);
  const event = { controller: 'c', resourceKind: 'foo', action: 'resynced', object: aConfigMap('a') } as const;
  await metrics.observer.event(event, async () => undefined);
  const text = await metrics.text();
  const buckets = [
    ...text.matchAll(
      /app_informer_reconcile_duration_seconds_bucket\{le="([^"]+)",event_type="RESYNC",kind="ConfigMap"\}/g,
    ),
  ].map(([, le]) => le);
  t.deepEqual(buckets, [
    '0.005',
    '0.01',
    '0.025',
    '0.05',
    '0.1',
    '0.25',
    '0.5',
    '1',
    '2.5',
    '5',
    '10',
    '25',
    '50',
    '100',
    '+Inf',
  ]);
  t.throws(() => createMetrics({ registry: metrics.registry }), { message: /already been registered/ });
  t.regex(metrics.contentType, /^text\/plain/);
});

test('writes of workspaces that were refused are counted by what was written, and by what refused it', async (t) => {
  const metrics = createMetrics();
  t.deepEqual(await samplesOf(metrics, 'workspace_refused_writes_total'), {});
  for (const code of ['policy', '4xx', 'policy'] as const) metrics.observer.refused({ write: 'intent', code });
  t.deepEqual(await samplesOf(metrics, 'workspace_refused_writes_total'), {
    '{write="intent",code="policy"}': 2,
    '{write="intent",code="4xx"}': 1,
  });
});

test('runs of a plain controller count by their result, and the queue by its name', async (t) => {
  const server = await aServerInVirtualTime();
  const metrics = createMetrics({ clock: server.clock });
  const ends = [{ requeueAfter: 1000 }, new Error('no'), new StaleError('old'), new GiveUpError('never')];
  await server.client.create(ConfigMap, { metadata: server.key('a') });
  controlled(
    server,
    async () => {
      await server.clock.sleep(10);
      const end = ends.shift() ?? done;
      if (end instanceof Error) throw end;
      return end;
    },
    { observer: metrics.observer, name: 'maps', workers: 3 },
  );
  await server.clock.advance(60_000);
  const result = (of: string) => `{controller="maps",result="${of}"}`;
  t.deepEqual(await samplesOf(metrics, 'controller_runtime_reconcile_total'), {
    [result('success')]: 0,
    [result('error')]: 2,
    [result('requeue')]: 1,
    [result('requeue_after')]: 1,
  });
  const ours = { '{controller="maps"}': 1 };
  t.deepEqual(await samplesOf(metrics, 'controller_runtime_terminal_reconcile_errors_total'), ours);
  t.deepEqual(await samplesOf(metrics, 'controller_runtime_max_concurrent_reconciles'), { '{controller="maps"}': 3 });
  const queue = '{name="maps",controller="maps"}';
  t.is((await samplesOf(metrics, 'workqueue_work_duration_seconds_count'))[queue], 4);
  t.is((await samplesOf(metrics, 'workqueue_work_duration_seconds_sum'))[queue], 0.04);
  t.is((await samplesOf(metrics, 'workqueue_retries_total'))[queue], 2, 'the stale one came back at once');
  t.is((await samplesOf(metrics, 'workqueue_depth'))[queue], 0);
});

test('GRAF-T18: requests, watches and their failures are counted, by code, verb and plural', async (t) => {
  const server = await theWidgets();
  const metrics = createMetrics({ clock: server.clock });
  const { cluster, clock, key, namespace } = server;
  const client = createClient({
    server: cluster.url,
    dispatcher: cluster.dispatcher,
    clock,
    observer: metrics.observer,
  });
  await client.create(Widget, { metadata: key('a'), spec: { size: 1 } });
  await t.throwsAsync(client.get(Widget, key('b')));
  await client.patch(Widget, key('a'), { type: 'merge', value: {} }, { subresource: 'status' });
  await client.list(Widget, { namespace });
  await client.delete(Widget, key('a'));
  await client.raw('GET', '/version');
  const widgets = (code: number, verb: string, subresource = 'spec') =>
    `{status_code="${code}",verb="${verb}",kind="widgets",subresource="${subresource}"}`;
  const expected = {
    [widgets(201, 'CREATE')]: 1,
    [widgets(404, 'GET')]: 1,
    [widgets(200, 'PATCH', 'status')]: 1,
    [widgets(200, 'LIST')]: 1,
    [widgets(200, 'DELETE')]: 1,
    '{status_code="200",verb="GET",kind="",subresource=""}': 1,
  };
  t.deepEqual(await samplesOf(metrics, 'kubernetes_client_requests_total'), expected);
  t.deepEqual(await samplesOf(metrics, 'kubernetes_client_request_duration_seconds_count'), expected);
  const rest = await samplesOf(metrics, 'rest_client_requests_total');
  const { host } = new URL(client.server);
  t.is(rest[`{code="201",method="POST",host="${host}"}`], 1);
  t.is(rest[`{code="200",method="GET",host="${host}"}`], 2, 'a list and a raw path');

  const world = await watching({ ...server, client }, { observer: metrics.observer });
  const undo = cluster.intercept(async () => ({ status: 500, headers: {}, body: '' }));
  void world.controller.run(world.stop.signal);
  await clock.advance(1000);
  undo();
  await until(clock, () => world.controller.health().sources[0]!.failures >= 3);
  await clock.advance(60_000);
  const failures = (await samplesOf(metrics, 'informer_errors_total'))['{kind="Widget"}'];
  t.true(failures! >= 3);
  const requests = await samplesOf(metrics, 'kubernetes_client_requests_total');
  t.is(requests[widgets(500, 'WATCH')], failures);
  t.is(requests[widgets(200, 'WATCH')], 1);
  t.is((await samplesOf(metrics, 'kubernetes_client_watch_errors_total'))['{kind="widgets"}'], failures);
  t.true((await samplesOf(metrics, 'kubernetes_client_watch_events_total'))['{kind="widgets"}']! >= 1);
});

test('metrics of the process are there where they are asked for', async (t) => {
  t.regex(await createMetrics({ process: true }).text(), /^process_cpu_seconds_total \d/m);
  t.notRegex(await createMetrics().text(), /^process_/m);
});
