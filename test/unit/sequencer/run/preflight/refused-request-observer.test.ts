import test from 'ava';
import { createClient, ensureCrds, systemClock, Workspace } from '../../../../../sdk/index.ts';
import { createRefusedRequestObserver } from '../../../../../sequencer/run/preflight/refused-request-observer.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../../cluster/index.ts';

test('a refused request and a refused watch are noticed, once a minute at most; others are not', async (t) => {
  const cluster = await createCluster({ kubelet: false, rbac: true });
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const clock = createManualClock();
  const refusals = createRefusedRequestObserver(clock);
  const dispatcher = cluster.dispatcherAs({ name: 'bob', groups: ['system:authenticated'] });
  const bob = createClient({ server: cluster.url, dispatcher, observer: refusals.observer });
  t.teardown(async () => {
    await Promise.all([admin.close(), bob.close()]);
    await cluster.close();
  });
  await ensureCrds(admin, [Workspace]);
  let noticed = 0;
  refusals.follow(() => {
    noticed += 1;
  });
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: {} };
  await t.throwsAsync(bob.raw('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review));
  await t.throwsAsync(bob.raw('GET', '/api/v1/nodes'));
  t.is(noticed, 0, 'a raw request');
  await t.throwsAsync(bob.list(Workspace), { name: 'ForbiddenError' });
  t.is(noticed, 1);
  await clock.advance(59_999);
  await t.throwsAsync(bob.list(Workspace), { name: 'ForbiddenError' });
  t.is(noticed, 1);
  await clock.advance(1);
  await t.throwsAsync(async () => {
    for await (const _ of bob.watch(Workspace, { namespace: 'default' }));
  });
  t.is(noticed, 2);
});

test('what is missing or taken is not a refusal', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  const refusals = createRefusedRequestObserver(systemClock);
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, observer: refusals.observer });
  t.teardown(async () => {
    await client.close();
    await cluster.close();
  });
  await ensureCrds(client, [Workspace]);
  refusals.follow(() => t.fail());
  const shop = { metadata: { namespace: 'default', name: 'shop' }, spec: {} };
  await t.throwsAsync(client.get(Workspace, shop.metadata), { name: 'NotFoundError' });
  await client.create(Workspace, shop);
  await t.throwsAsync(client.create(Workspace, shop));
});
