import test from 'ava';
import { ConfigMap, type KubeObject, Namespace, NotFoundError, Workspace } from '../../../../../sdk/index.ts';
import { type Applied, applyAll, deleteAll, toDelete } from '../../../../../sequencer/cli/commands/apply.ts';
import { aCluster } from '../a-terminal.ts';

const { signal } = new AbortController();
const options = { namespace: 'default', signal };
const manifest = (object: object, where = 'x.yaml:1') => ({ object: object as KubeObject, where });
const configMap = (name: string, data: object = {}) =>
  manifest({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const workspace = (name: string, spec: object = {}) =>
  manifest({ apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec });

test('objects of any kind that the server has are created, in the namespace given', async (t) => {
  const { cluster, client } = await aCluster();
  const told: Applied[] = [];
  const namespace = manifest({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team-a', namespace: 'ignored' },
  });
  const deployment = manifest({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'team-a' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'd' }] } },
    },
  });
  const applied = await applyAll(client, [namespace, workspace('shop'), deployment], {
    ...options,
    onApplied: (one) => told.push(one),
  });
  t.deepEqual(applied, told);
  t.deepEqual(
    applied.map(({ kind, key, existed }) => [kind.kind, key.namespace, key.name, existed]),
    [
      ['Namespace', undefined, 'team-a', false],
      ['Workspace', 'default', 'shop', false],
      ['Deployment', 'team-a', 'web', false],
    ],
  );
  t.truthy(await client.get(Workspace, { namespace: 'default', name: 'shop' }));
  await cluster.close();
});

test('an interruption ends between two objects, so that each applied one is reported', async (t) => {
  const { cluster, client } = await aCluster();
  const interrupt = new AbortController();
  const applied: string[] = [];
  const onApplied = ({ key }: Applied) => {
    applied.push(key.name);
    interrupt.abort(new DOMException('interrupted', 'AbortError'));
  };
  await t.throwsAsync(
    applyAll(client, [workspace('first'), workspace('second')], { ...options, signal: interrupt.signal, onApplied }),
    { message: 'interrupted' },
  );
  t.deepEqual(applied, ['first']);
  t.is((await client.list(Workspace)).items.length, 1);
  await cluster.close();
});

test('what is there is merged into, and left there in the end unless it is a workspace', async (t) => {
  const { cluster, client } = await aCluster();
  await applyAll(client, [configMap('a', { old: '1' }), workspace('shop')], options);
  const again = await applyAll(client, [configMap('a', { new: '2' }), configMap('b'), workspace('shop')], options);
  t.deepEqual((await client.get(ConfigMap, { namespace: 'default', name: 'a' })).data, { old: '1', new: '2' });
  t.deepEqual(
    toDelete(again).map(({ key }) => key.name),
    ['shop', 'b'],
  );
  await deleteAll(client, toDelete(again), signal);
  await t.throwsAsync(client.get(ConfigMap, { namespace: 'default', name: 'b' }), { instanceOf: NotFoundError });
  await t.notThrowsAsync(deleteAll(client, toDelete(again), signal), 'deleted already');
  await cluster.close();
});

test('a spec that breaks the schema is reported field by field, with file and line', async (t) => {
  const { cluster, client } = await aCluster();
  const spec = { networking: { dns: { zone: '' } }, components: [{ name: 'Not A Name', template: {} }] };
  const error = await t.throwsAsync(applyAll(client, [{ ...workspace('shop', spec), where: 'x.yaml:7' }], options), {
    code: 'E#2022',
    message: 'x.yaml:7: Workspace shop is invalid',
  });
  const { hint } = error as unknown as { hint: string };
  t.regex(hint, /^spec\.networking\.dns\.zone: Invalid value: /m);
  t.regex(hint, /^spec\.components\[0\]\.name: Invalid value: "Not A Name"/m);
  await cluster.close();
});

test('a kind that the server does not have is reported, known group or not', async (t) => {
  const { cluster, client } = await aCluster();
  for (const apiVersion of ['v1', 'acme.example/v1'])
    await t.throwsAsync(
      applyAll(client, [manifest({ apiVersion, kind: 'Gizmo', metadata: { name: 'a' } }, 'x.yaml:3')], options),
      {
        code: 'E#2023',
        message: new RegExp(`^x\\.yaml:3: the server has no kind Gizmo in ${apiVersion}`),
      },
    );
  await cluster.close();
});

test('an object that is being deleted is not merged into', async (t) => {
  const { cluster, client } = await aCluster();
  const metadata = { name: 'a', namespace: 'default', finalizers: ['example.com/wait'] };
  await client.create(ConfigMap, { metadata });
  await client.delete(ConfigMap, metadata);
  await t.throwsAsync(applyAll(client, [configMap('a')], options), {
    code: 'E#2024',
    message: 'x.yaml:1: ConfigMap default/a exists and is being deleted; metadata.finalizers: example.com/wait',
  });
  await cluster.close();
});

test('what was applied before a failure is reported, so that it can be removed', async (t) => {
  const { cluster, client } = await aCluster();
  const told: Applied[] = [];
  const bad = workspace('bad', { components: 'no list' });
  await t.throwsAsync(
    applyAll(client, [configMap('a'), bad, configMap('b')], { ...options, onApplied: (one) => told.push(one) }),
  );
  t.deepEqual(
    told.map(({ key }) => key.name),
    ['a'],
  );
  t.truthy(await client.get(Namespace, { name: 'default' }));
  await cluster.close();
});
