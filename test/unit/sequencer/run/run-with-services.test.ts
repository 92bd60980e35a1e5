import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  aborted,
  CustomResourceDefinitionKind,
  createClient,
  Lease,
  loadConnection,
  UserError,
  Workspace,
} from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/run/run.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../cluster/index.ts';
import { until } from '../../../system/real/until.ts';
import { aFolder } from '../../a-folder.ts';

/** A cluster over HTTPS, and any number of its sequencers. */
async function aPlace(t: ExecutionContext) {
  const folder = await aFolder(t);
  const cluster = await createCluster();
  const listening = await cluster.listen();
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, listening.kubeconfigYaml());
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const replica = (options: Partial<Parameters<typeof runSequencer>[0]>) => {
    const stop = new AbortController();
    const ports: number[] = [];
    const addresses: unknown[] = [];
    const ready = Promise.withResolvers<void>();
    const logger = {
      child: () => logger,
      info: ({ port, address }: { readonly port?: number; readonly address?: string }) => {
        if (port === undefined) return;
        ports.push(port);
        addresses.push(address);
      },
      ...Object.fromEntries(['debug', 'warn', 'error', 'trace'].map((level) => [level, () => undefined])),
    } as unknown as NonNullable<Parameters<typeof runSequencer>[0]['logger']>;
    const ended = runSequencer({
      kubeconfig,
      integrations: [],
      signal: stop.signal,
      onReady: () => ready.resolve(),
      logger,
      ...options,
    });
    return { stop, ended, ready: ready.promise, ports, addresses };
  };
  return {
    client,
    replica,
    adminToken: /token: (\S+)/.exec(listening.kubeconfigYaml())?.[1],
    async [Symbol.asyncDispose]() {
      await client.close();
      await cluster.close();
    },
  };
}

const ask = async (port: number, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return [response.status, await response.text()] as const;
};

test('a sequencer says that it lives and is ready, and how much it does', async (t) => {
  await using place = await aPlace(t);
  const { ready, ports, stop, ended } = place.replica({ metricsPort: 0 });
  await ready;
  const [port] = ports as [number];
  t.deepEqual(await ask(port, '/livez'), [200, 'ok\n']);
  t.deepEqual(await ask(port, '/readyz'), [200, 'ok\n']);
  const [, text] = await ask(port, '/metrics');
  t.regex(text, /controller_runtime_max_concurrent_reconciles\{controller="sequencer"\} 10/);
  t.regex(
    text,
    /kubernetes_client_requests_total\{status_code="200",verb="WATCH",kind="workspaces",subresource="spec"\} 1/,
  );
  stop.abort();
  await ended;
});

test('of two with leader election one walks; the other is ready, waits, and takes over when the first has ended', async (t) => {
  await using place = await aPlace(t);
  const leaderElection = { retryPeriod: 50, renewDeadline: 5000, leaseDuration: 10_000 };
  const first = place.replica({ leaderElection });
  await first.ready;
  const second = place.replica({ leaderElection, healthPort: 0 });
  let isSecond = false;
  void second.ready.then(() => {
    isSecond = true;
  });
  while (second.ports.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const ready = async () => ((await ask(second.ports[0]!, '/readyz'))[0] === 200 ? true : undefined);
  t.true(await until(ready, { message: () => 'not ready' }));
  t.deepEqual(await ask(second.ports[0]!, '/metrics'), [404, '/livez /readyz\n']);
  t.false(isSecond);
  const key = { namespace: 'default', name: 'sequencer' };
  const holder = async () => (await place.client.get(Lease, key)).spec?.holderIdentity;
  const before = await holder();
  first.stop.abort();
  await first.ended;
  await second.ready;
  t.not(await holder(), before);
  second.stop.abort();
  await second.ended;
  t.is(await holder(), '');
});

test('a standby follows the workspaces already, says so, and lists none when it takes over', async (t) => {
  await using place = await aPlace(t);
  const leaderElection = { retryPeriod: 50, renewDeadline: 5000, leaseDuration: 10_000 };
  const first = place.replica({ leaderElection });
  await first.ready;
  const second = place.replica({ leaderElection, metricsPort: 0 });
  while (second.ports.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const [port] = second.ports as [number];
  const ready = async () => ((await ask(port, '/readyz'))[0] === 200 ? true : undefined);
  t.true(await until(ready, { message: () => 'not ready' }));
  const lists = async (): Promise<readonly string[]> => {
    const [, text] = await ask(port, '/metrics');
    return text
      .split('\n')
      .filter((line) => /^kubernetes_client_requests_total.*"(LIST|WATCH)",kind="workspaces"/.test(line));
  };
  const before = await lists();
  t.true(before.length > 0, 'it has listed');
  t.regex((await ask(port, '/metrics'))[1], /^leader_election_master_status\{name="sequencer"\} 0$/m);
  first.stop.abort();
  await first.ended;
  await second.ready;
  t.deepEqual(await lists(), before);
  t.regex((await ask(port, '/metrics'))[1], /^leader_election_master_status\{name="sequencer"\} 1$/m);
  second.stop.abort();
  await second.ended;
});

test('of two shards each walks, and what the config runs beside runs in the one that assigns', async (t) => {
  await using place = await aPlace(t);
  const began: string[] = [];
  const shardNamed = (shard: string) =>
    place.replica({
      shards: { ring: 'blue', shard },
      runnables: [
        {
          name: 'beside',
          permissions: [],
          create: () => ({
            name: 'beside',
            async run(signal) {
              began.push(shard);
              await aborted(signal);
            },
          }),
        },
      ],
    });
  const [first, second] = [shardNamed('a'), shardNamed('b')];
  await Promise.all([first.ready, second.ready]);
  const holders = async () => {
    const { items } = await place.client.list(Lease, { namespace: 'default' });
    const found = items.filter(({ metadata }) => !metadata.name.startsWith('apiserver-'));
    return Object.fromEntries(found.map(({ metadata, spec }) => [metadata.name, spec?.holderIdentity]));
  };
  const runs = async () => (began.length > 0 ? true : undefined);
  await until(runs, { message: () => 'nothing runs beside' });
  const [one] = began as [string];
  const { a, b, sequencer } = await holders();
  t.deepEqual([a, b, sequencer?.split('.')[0]], ['a', 'b', one]);
  const [assigns, other] = one === 'a' ? [first, second] : [second, first];
  assigns.stop.abort();
  await assigns.ended;
  await until(async () => (began.length === 2 ? true : undefined), { message: () => 'it has not moved' });
  other.stop.abort();
  await other.ended;
  t.deepEqual(await holders(), { a: '', b: '', sequencer: '' });
  const both = { shards: { ring: 'blue' }, leaderElection: {} };
  await t.throwsAsync(place.replica(both).ended, { instanceOf: TypeError, message: /exclude each other/ });
});

test('a port that is taken ends it, with the error as it was', async (t) => {
  await using place = await aPlace(t);
  const first = place.replica({ healthPort: 0 });
  await first.ready;
  const second = place.replica({ healthPort: first.ports[0]! });
  await t.throwsAsync(second.ended, { code: 'EADDRINUSE' });
  first.stop.abort();
  await first.ended;
});

test('what fails inside of a leader election keeps its own class and code', async (t) => {
  await using place = await aPlace(t);
  const wanted = await Workspace.crd?.();
  const other = { ...wanted!, spec: { ...wanted!.spec, names: { ...wanted!.spec.names, kind: 'Other' } } };
  await place.client.create(CustomResourceDefinitionKind, other);
  const error = await t.throwsAsync(place.replica({ leaderElection: {} }).ended, { instanceOf: UserError });
  t.is(error.code, 'E#1013');
});

test('outside of a pod its health is served on the loopback address only, unless it is reported another', async (t) => {
  await using place = await aPlace(t);
  for (const [options, address] of [
    [{}, '127.0.0.1'],
    [{ healthHost: '0.0.0.0' }, '0.0.0.0'],
  ] as const) {
    const { ready, addresses, stop, ended } = place.replica({ healthPort: 0, ...options });
    await ready;
    t.deepEqual(addresses, [address]);
    stop.abort();
    await ended;
  }
});

test('what an administrator has to fix first is in /readyz, and it continues by itself once that is done', async (t) => {
  await using place = await aPlace(t);
  const wanted = await Workspace.crd?.();
  const other = { ...wanted!, spec: { ...wanted!.spec, names: { ...wanted!.spec.names, kind: 'Other' } } };
  await place.client.create(CustomResourceDefinitionKind, other);
  const clock = createManualClock();
  const { ports, stop, ended } = place.replica({ healthPort: 0, clock });
  const says = async (status: number) => {
    const [code, text] = ports.length === 0 ? [] : await ask(ports[0]!, '/readyz');
    return code === status && !/being checked/.test(text!) ? text : undefined;
  };
  const text = await until(() => says(503), { message: () => 'not refused' });
  t.regex(text, /^E#1013: workspaces\.se\.quencer\.io on the server is of kind Other, Namespaced; ours is Workspace/);
  await place.client.delete(CustomResourceDefinitionKind, { name: 'workspaces.se.quencer.io' });
  await clock.advance(10_000);
  t.is(await until(() => says(200), { message: () => 'not ready' }), 'ok\n');
  stop.abort();
  await ended;
});

test('the page is served where it is asked for, to users of the cluster', async (t) => {
  await using place = await aPlace(t);
  const { ready, ports, addresses, stop, ended } = place.replica({ pagePort: 0 });
  await ready;
  const [port] = ports as [number];
  t.is(addresses[0], '127.0.0.1');
  t.is((await ask(port, '/'))[0], 200);
  const live = (token: string) =>
    fetch(`http://127.0.0.1:${port}/api/live`, { headers: { authorization: `Bearer ${token}` } });
  t.is((await live('wrong')).status, 401);
  const stream = await live(place.adminToken ?? '');
  t.is(stream.status, 200);
  t.is((await fetch(`http://127.0.0.1:${port}/api/control/kill`, { method: 'POST' })).status, 401);
  stop.abort();
  await ended;
});
