import test, { type ExecutionContext } from 'ava';
import {
  CustomResourceDefinitionKind,
  createClient,
  ensureCrds,
  systemClock,
  Workspace,
} from '../../../../../sdk/index.ts';
import { followDefinitions } from '../../../../../sequencer/run/preflight/follow-definitions.ts';
import { createCluster } from '../../../../cluster/index.ts';

const definition = { name: 'workspaces.se.quencer.io' };

async function followed(t: ExecutionContext, asOther: boolean) {
  const cluster = await createCluster({ kubelet: false, rbac: true });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const dispatcher = cluster.dispatcherAs({ name: 'bob', groups: ['system:authenticated'] });
  const follower = asOther ? createClient({ server: cluster.url, dispatcher }) : client;
  t.teardown(async () => {
    await Promise.all([client.close(), follower.close()]);
    await cluster.close();
  });
  await ensureCrds(client, [Workspace]);
  const stop = new AbortController();
  let tell = (): void => undefined;
  const told = new Promise<string>((resolve) => {
    tell = () => resolve('changed');
  });
  const over = followDefinitions(follower, [Workspace], {
    changed: () => tell(),
    clock: systemClock,
    signal: stop.signal,
  });
  return { client, told, over, stop };
}

const setBack = (client: ReturnType<typeof createClient>) => {
  const value = { spec: { names: { shortNames: ['older'] } } };
  return client.patch(CustomResourceDefinitionKind, definition, { type: 'merge', value });
};
const soon = () => new Promise<string>((resolve) => void setTimeout(resolve, 300, 'nothing'));

test('a definition that is set back is reported, and nothing before', async (t) => {
  const { client, told, over, stop } = await followed(t, false);
  t.is(await Promise.race([told, soon()]), 'nothing');
  await setBack(client);
  t.is(await told, 'changed');
  stop.abort();
  await over;
});

test('a removal is reported once the definition is gone, not while objects keep it', async (t) => {
  const { client, told, over, stop } = await followed(t, false);
  const key = { namespace: 'default', name: 'shop' };
  await client.create(Workspace, { metadata: { ...key, finalizers: ['example.com/held'] }, spec: {} });
  await soon();
  await client.delete(CustomResourceDefinitionKind, definition);
  t.is(await Promise.race([told, soon()]), 'nothing');
  await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  t.is(await told, 'changed');
  stop.abort();
  await over;
});

test('nothing is told to a user who may not watch definitions', async (t) => {
  const { client, told, over, stop } = await followed(t, true);
  await soon();
  await setBack(client);
  t.is(await Promise.race([told, soon()]), 'nothing');
  stop.abort();
  await over;
});
