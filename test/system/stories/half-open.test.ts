import test from 'ava';
import {
  ConfigMap,
  createClient,
  Lease,
  loadConnection,
  UnreachableError,
  withLeaderElection,
} from '../../../sdk/index.ts';
import { startHalfOpenProxy } from '../real/half-open-proxy.ts';
import { eventually } from './sequencing.ts';
import { startServersUnderTest } from './servers.ts';

const times = { leaseDuration: 6000, renewDeadline: 4000, retryPeriod: 200 };
const leaseKey = { namespace: 'default', name: 'half-open' };

for (const { name, kubeconfigPath, close } of await startServersUnderTest()) {
  test.after.always(`${name} stops`, close);

  test(`${name}: half-open connections cost one request, and no leadership`, async (t) => {
    const connection = await loadConnection({ kubeconfig: kubeconfigPath });
    const proxy = await startHalfOpenProxy(connection.server);
    const client = createClient({ connection: { ...connection, server: proxy.url } });
    const stop = new AbortController();
    const working = {
      name: 'work',
      run: (signal: AbortSignal) =>
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    };
    const elected = withLeaderElection({ ...times, client, lease: leaseKey, identity: 'a', controllers: [working] });
    const ended = elected.run(stop.signal);
    t.teardown(async () => {
      stop.abort();
      await ended.catch(() => undefined);
      await client.close();
      await proxy.close();
    });
    const renewal = async () => (await client.get(Lease, leaseKey)).spec?.renewTime;
    await eventually('it leads', async () => elected.isLeader() || undefined);
    const read = (deadline: number) => client.list(ConfigMap, { namespace: 'default', deadline });
    await Promise.all(Array.from({ length: 12 }, () => read(10_000)));
    t.true(proxy.connections > 4, 'idle connections are kept');

    proxy.stallOpen();
    await t.throwsAsync(read(500), { instanceOf: UnreachableError });
    await read(10_000);
    const before = await renewal();
    await eventually('the lease is renewed', async () => (await renewal()) !== before || undefined);
    t.true(elected.isLeader());
    stop.abort();
    await ended;
    t.is((await client.get(Lease, leaseKey)).spec?.holderIdentity, '');
  });
}
