import test from 'ava';
import { carryOut } from '../../../../integrations/previews/actions.ts';
import { previewManifests } from '../../../../integrations/previews/manifest.ts';
import { manifestDigest } from '../../../../integrations/previews/preview-labels.ts';
import { Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { shaOf } from '../fixtures/a-code-host.ts';

const pull = { number: 1, isOpen: true, sha: shaOf('1'), branch: 'b', isFork: false, labels: [], updatedAt: 0 };
const manifestOf = (integrations: object) =>
  previewManifests({ spec: { integrations } as never }, { host: 'github.com', repository: 'acme/shop' }).of(pull);
const key = { namespace: 'default', name: 'acme-shop-1' };
const { signal } = new AbortController();

test('a preview is created and changed: what the template no longer has goes, what others have set stays', async (t) => {
  const { client } = await aTargetCluster();
  const act = (action: Parameters<typeof carryOut>[1]) => carryOut({ client, namespace: 'default', signal }, action);
  await act({ op: 'create', number: 1, manifest: manifestOf({ former: {}, kept: {} }) });
  const value = { metadata: { labels: { team: 'a' } } };
  const { uid = '' } = (await client.patch(Workspace, key, { type: 'merge', value })).metadata;
  await act({ op: 'update', number: 1, uid, manifest: manifestOf({ kept: { x: 1 } }) });
  const { spec, metadata } = await client.get(Workspace, key);
  t.deepEqual(Object.keys(spec.integrations ?? {}).sort(), ['kept', 'preview-report']);
  t.is(metadata.labels?.team, 'a');
  await act({ op: 'update', number: 1, uid, manifest: manifestOf({ other: {} }) });
  const after = await client.get(Workspace, key);
  t.deepEqual(Object.keys(after.spec.integrations ?? {}).sort(), ['other', 'preview-report']);
});

test('a preview is there with all that its template asks for from its first moment on', async (t) => {
  const { client, cluster } = await aTargetCluster();
  const writes: string[] = [];
  cluster.intercept((request, next) => {
    if (request.method !== 'GET') writes.push(request.method);
    return next(request);
  });
  await carryOut(
    { client, namespace: 'default', signal },
    { op: 'create', number: 1, manifest: manifestOf({ a: {} }) },
  );
  t.deepEqual(writes, ['POST']);
  const { spec, metadata } = await client.get(Workspace, key);
  t.deepEqual(Object.keys(spec.integrations ?? {}).sort(), ['a', 'preview-report']);
  t.is(metadata.annotations?.['previews.se.quencer.io/manifest'], manifestDigest(manifestOf({ a: {} })));
});

test('a field that the server does not know is refused before anything is created', async (t) => {
  const { client } = await aTargetCluster();
  const manifest = { ...manifestOf({}), spec: { integration: {} } as never };
  const created = carryOut({ client, namespace: 'default', signal }, { op: 'create', number: 1, manifest });
  await t.throwsAsync(created, { message: /unknown field "spec.integration"/ });
  await t.throwsAsync(client.get(Workspace, key), { name: 'NotFoundError' });
});

test('a Workspace that took the name, or the place, meanwhile is left alone', async (t) => {
  const { client } = await aTargetCluster();
  const there = await client.create(Workspace, { metadata: key, spec: {} });
  const manifest = manifestOf({});
  for (const [action, name] of [
    [{ op: 'create', number: 1, manifest }, 'AlreadyExistsError'],
    [{ op: 'update', number: 1, uid: 'former', manifest }, 'InvalidError'],
    [{ op: 'delete', number: 1, name: key.name, uid: 'former', reason: '' }, 'ConflictError'],
  ] as const)
    await t.throwsAsync(carryOut({ client, namespace: 'default', signal }, action), { name });
  t.deepEqual(await client.get(Workspace, key), there);
});
