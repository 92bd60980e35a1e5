import test from 'ava';
import { Agent, request } from 'undici';
import { createClient, Secret, type Workspace } from '../../../../sdk/index.ts';
import { webhooksOf } from '../../../../sequencer/run/served-webhooks.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { someIntegrations } from '../admission/some-integrations.ts';

const { signal } = new AbortController();

test('without a port there is no webhook', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const served = { client, operatorNamespace: 'default', observer: undefined };
  t.is(await webhooksOf({ integrations: [], signal }, served), undefined);
  await cluster.close();
});

test('it judges the workspaces of its class, selector and namespace, and lets all others through', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const stop = new AbortController();
  const options = {
    integrations: someIntegrations,
    signal,
    className: 'blue',
    selector: 'tier in (gold)',
    namespace: 'default',
  };
  const served = { client, operatorNamespace: 'default', observer: undefined };
  const server = (await webhooksOf({ ...options, webhookPort: 0, webhookHost: '127.0.0.1' }, served))!;
  const running = server.run(stop.signal);
  const port = await server.listening;
  const { items } = await client.list(Secret, { namespace: 'default' });
  const ca = atob(items.find(({ metadata }) => metadata.name.endsWith('-webhooks'))!.data!['ca.crt']!);
  const agent = new Agent({ connect: { ca } });
  const isAllowed = async (workspace: Workspace) => {
    const kind = { group: 'se.quencer.io', version: 'v1alpha1', kind: 'Workspace' };
    const review = {
      ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      request: { uid: 'r', kind, operation: 'CREATE', object: workspace },
    };
    const answer = await request(`https://127.0.0.1:${port}/validate/workspaces.se.quencer.io`, {
      ...{ dispatcher: agent, method: 'POST', body: JSON.stringify(review) },
    });
    return ((await answer.body.json()) as { response: { allowed: boolean } }).response.allowed;
  };
  const wrong = aWorkspace({ spec: { className: 'blue', integrations: { mail: {} } } });
  const of = (metadata: object, spec: object = {}): Workspace => ({
    ...wrong,
    metadata: { ...wrong.metadata, namespace: 'default', labels: { tier: 'gold' }, ...metadata },
    spec: { ...wrong.spec, ...spec },
  });
  t.false(await isAllowed(of({})));
  t.true(await isAllowed(of({ labels: {} })));
  t.true(await isAllowed(of({ namespace: 'other' })));
  t.true(await isAllowed(of({}, { className: 'green' })));
  t.true(await isAllowed(of({}, { integrations: {} })));
  stop.abort();
  await agent.destroy();
  await running;
  await cluster.close();
});
