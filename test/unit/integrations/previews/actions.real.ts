import test from 'ava';
import { carryOut } from '../../../../integrations/previews/actions.ts';
import { createClient, ensureCrds, loadConnection, Workspace } from '../../../../sdk/index.ts';
import { startRealServer } from '../../../system/real/server.ts';

const server = await startRealServer({ controllers: false });
const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
test.after.always('kube-apiserver stops', async () => {
  await client.close();
  await server.close();
});

test('kube-apiserver removes what a created preview has and its template no longer does', async (t) => {
  await ensureCrds(client, [Workspace]);
  const key = { namespace: 'default', name: 'shop-1' };
  const context = { client, namespace: 'default', signal: new AbortController().signal };
  const manifestOf = (integrations: object, labels: Readonly<Record<string, string>>) => ({
    metadata: { ...key, labels },
    spec: { integrations } as Workspace['spec'],
  });
  const read = async () => {
    const { metadata, spec } = await client.get(Workspace, key);
    return { uid: metadata.uid ?? '', labels: metadata.labels, integrations: spec.integrations };
  };
  await carryOut(context, { op: 'create', number: 1, manifest: manifestOf({ a: { x: 1 } }, { former: 'x' }) });
  const { uid } = await read();
  await client.patch(Workspace, key, { type: 'merge', value: { metadata: { labels: { team: 'a' } } } });
  for (const [integrations, label] of [
    [{ b: { x: 1 } }, 'second'],
    [{ c: {} }, 'third'],
  ] as const) {
    const manifest = manifestOf(integrations, { [label]: 'x' });
    await carryOut(context, { op: 'update', number: 1, uid, manifest });
    t.deepEqual(await read(), { uid, labels: { team: 'a', [label]: 'x' }, integrations });
  }
});
