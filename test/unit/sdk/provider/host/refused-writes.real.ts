import test from 'ava';
import {
  createClient,
  createController,
  createProviderHost,
  ensureCrds,
  loadConnection,
  RefusedError,
  systemClock,
  Workspace,
} from '../../../../../sdk/index.ts';
import { createMetrics } from '../../../../../sdk/metrics/index.ts';
import { startRealServer } from '../../../../system/real/server.ts';

const server = await startRealServer({ controllers: false });
test.after.always('kube-apiserver stops', () => server.close());

test('kube-apiserver: what the schema refuses, and what a right is missing for, is counted by what was written', async (t) => {
  const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
  const credentials = { headers: { authorization: `Bearer ${server.restrictedToken}` }, tls: { ca: server.ca } };
  const restricted = createClient({ connection: { server: server.url, credentials: () => credentials } });
  t.teardown(() => Promise.all([client.close(), restricted.close()]));
  await ensureCrds(client, [Workspace]);
  const claim = 'se.quencer.io/boxes';
  const metadata = { namespace: 'default', name: 'shop', finalizers: [claim] };
  await client.create(Workspace, { metadata, spec: {} });
  const guards = { Boxes: { phase: 'none', op: 'task', key: 'k-0', token: 0, holder: 'x' } };
  const patch = { type: 'merge', value: { status: { guards } } } as const;
  const workspace = await client.patch(Workspace, metadata, patch, { subresource: 'status' });
  const metrics = createMetrics();
  const controllerOf = (its: typeof client, holder: string) => {
    const host = createProviderHost({
      client: its,
      clock: systemClock,
      holder,
      events: { event: () => {} },
      observer: metrics.observer,
    });
    return createController(host, workspace, { type: 'Boxes', claim, terminating: false });
  };
  const task = async () => ({ status: 'Completed', reason: 'done' }) as const;
  const tooLong = 'h'.repeat(300);
  await t.throwsAsync(controllerOf(client, tooLong).guard('working', task), { instanceOf: RefusedError });
  await t.throwsAsync(controllerOf(restricted, 'one').updateCondition('Waiting', 'for a right'), {
    name: 'ForbiddenError',
  });
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('workspace_refused_writes_total{'));
  t.deepEqual(lines.toSorted(), [
    'workspace_refused_writes_total{write="condition",code="4xx"} 1',
    'workspace_refused_writes_total{write="intent",code="policy"} 1',
  ]);
});
