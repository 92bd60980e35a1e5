import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import type { CustomResourceDefinition, Kind } from '../../../../../sdk/api/kind.ts';
import { CustomResourceDefinitionKind, Pod } from '../../../../../sdk/api/kinds.ts';
import type { KubeObject } from '../../../../../sdk/api/object.ts';
import { Workspace } from '../../../../../sdk/api/workspace.ts';
import type { NewObject } from '../../../../../sdk/client/client.ts';
import { ensureCrds } from '../../../../../sdk/client/crds/ensure-crds.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { answer, failure, setUp } from '../scripted-server.ts';

async function clusterWithClient(t: ExecutionContext) {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  return { cluster, client: createClient({ server: cluster.url, dispatcher: cluster.dispatcher }) };
}

const name = 'workspaces.se.quencer.io';

test('a definition is created, served when that resolves, and kept the next time', async (t) => {
  const { client } = await clusterWithClient(t);
  t.deepEqual(await ensureCrds(client, [Pod, Workspace], { release: '1.0.0' }), [{ name, outcome: 'created' }]);
  t.deepEqual((await client.list(Workspace)).items, []);
  t.deepEqual(await ensureCrds(client, [Workspace], { release: '1.0.0' }), [{ name, outcome: 'kept' }]);
});

test('a definition that is gone is not made again where that is not asked for: it says what brings it back', async (t) => {
  const { client } = await clusterWithClient(t);
  await ensureCrds(client, [Workspace]);
  t.deepEqual(await ensureCrds(client, [Workspace], { createMissing: false }), [{ name, outcome: 'kept' }]);
  await client.delete(CustomResourceDefinitionKind, { name });
  const gone = await t.throwsAsync(ensureCrds(client, [Workspace], { createMissing: false }), {
    instanceOf: UserError,
  });
  t.is(gone.code, 'E#1017');
  t.is(gone.message, `${name} is no longer on the server: no such object can be made or walked until it is back`);
  t.regex(gone.hint ?? '', /sequencer crds \| kubectl apply -f -/);
  t.deepEqual((await client.list(CustomResourceDefinitionKind)).items, []);
});

test('another manager applies the same definition without a conflict: it is stored as it is written', async (t) => {
  const { cluster, client } = await clusterWithClient(t);
  await ensureCrds(client, [Workspace], { release: '1.0.0' });
  const kubectl = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, fieldManager: 'kubectl' });
  const value = await Workspace.crd?.();
  const applied = await kubectl.patch(CustomResourceDefinitionKind, { name }, { type: 'apply', value: value! });
  t.deepEqual(applied.spec.versions, value?.spec.versions);
});

test('replicas that start together agree', async (t) => {
  const { client } = await clusterWithClient(t);
  const outcomes = await Promise.all([1, 2, 3].map(() => ensureCrds(client, [Workspace], { release: '1.0.0' })));
  t.deepEqual(
    outcomes
      .flat()
      .map(({ outcome }) => outcome)
      .toSorted(),
    ['created', 'kept', 'kept'],
  );
});

test('a definition of an earlier release is brought up to date', async (t) => {
  const { client } = await clusterWithClient(t);
  const { crd } = Workspace;
  const columns = await crd?.();
  if (columns === undefined) return t.fail();
  const [version] = columns.spec.versions;
  const older = {
    ...columns,
    spec: { ...columns.spec, versions: [{ ...version, additionalPrinterColumns: [] }] },
  } as typeof columns;
  await ensureCrds(client, [{ ...Workspace, crd: async () => older }], { release: '0.9.0' });
  t.deepEqual(await ensureCrds(client, [Workspace], { release: '1.0.0' }), [{ name, outcome: 'updated' }]);
});

test('a missing right is named: which verb on what', async (t) => {
  const { client } = await setUp(t, ({ method }, response) =>
    method === 'GET'
      ? answer(response, 404, failure(404, 'NotFound'))
      : answer(response, 403, failure(403, 'Forbidden', 'no')),
  );
  const error = await t.throwsAsync(ensureCrds(client, [Workspace]), { instanceOf: UserError });
  t.is(error.code, 'E#1011');
  t.is(error.message, `missing right: create, patch on customresourcedefinitions.apiextensions.k8s.io "${name}" (no)`);
});

test('an operator that may not update works with what an administrator installed, and says so', async (t) => {
  const definition = await Workspace.crd?.();
  if (definition === undefined) return t.fail();
  const conditions = [{ type: 'Established', status: 'True' }];
  const installed = {
    ...definition,
    spec: { ...definition.spec, names: { ...definition.spec.names, shortNames: ['w'] } },
    status: { conditions },
  };
  const { client } = await setUp(t, ({ method }, response) =>
    method === 'GET' ? answer(response, 200, installed) : answer(response, 403, failure(403, 'Forbidden', 'no')),
  );
  const [outcome] = await ensureCrds(client, [Workspace]);
  t.is(outcome?.outcome, 'kept');
  t.regex(outcome?.notice ?? '', /missing right: patch/);
});

test('a definition that is not established in time is an error, an abort is the caller’s', async (t) => {
  const definition = await Workspace.crd?.();
  const clock = createManualClock();
  const { client } = await setUp(t, ({ path, method }, response) => {
    if (path.includes('watch=true')) {
      response.writeHead(200).flushHeaders();
      return void clock.advance(200);
    }
    return method === 'GET' ? answer(response, 404, failure(404, 'NotFound')) : answer(response, 201, definition);
  });
  const late = await t.throwsAsync(ensureCrds(client, [Workspace], { deadline: 200, clock }), {
    instanceOf: UserError,
    message: /not established/,
  });
  t.is(late.code, 'E#1014');
  const signal = AbortSignal.timeout(100);
  await t.throwsAsync(ensureCrds(client, [Workspace], { signal }), { name: 'TimeoutError' });
});

/** Definition of an earlier release, with a journal that had neither the phase `none` nor `began`. */
const earlier = async (): Promise<CustomResourceDefinition> =>
  parse(readFileSync(join(import.meta.dirname, '../../../../system/upgrade/releases/0.1.0-dev.1.yaml'), 'utf8'));

const operator = { name: 'operator', groups: ['system:authenticated'] };
const rbac = (kind: string): Kind => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
});

/** Cluster with the earlier definition, and a client that may use these verbs on definitions. */
async function clusterAsOperator(t: ExecutionContext, verbs: readonly string[]) {
  const cluster = await createCluster({ rbac: true });
  t.teardown(() => cluster.close());
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(admin, [{ ...Workspace, crd: earlier }], { release: '0.1.0' });
  const apiGroups = ['apiextensions.k8s.io'];
  const rules = [{ apiGroups, resources: ['customresourcedefinitions'], resourceNames: [name], verbs }];
  await admin.create(rbac('ClusterRole'), { metadata: { name: 'o' }, rules } as NewObject<KubeObject>);
  await admin.create(rbac('ClusterRoleBinding'), {
    metadata: { name: 'o' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'o' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: operator.name }],
  } as NewObject<KubeObject>);
  await cluster.settle();
  return { admin, client: createClient({ server: cluster.url, dispatcher: cluster.dispatcherAs(operator) }) };
}

test('with get, watch, create and patch on its own definition alone it creates it, and brings an earlier one up to date', async (t) => {
  const { client, admin } = await clusterAsOperator(t, ['get', 'watch', 'create', 'patch']);
  t.deepEqual(await ensureCrds(client, [Workspace], { release: '0.2.0' }), [{ name, outcome: 'updated' }]);
  await admin.delete(CustomResourceDefinitionKind, { name });
  t.deepEqual(await ensureCrds(client, [Workspace], { release: '0.2.0' }), [{ name, outcome: 'created' }]);
});

for (const verbs of [['get', 'watch'], ['list']])
  test(`an earlier definition that it may only ${verbs.join(' and ')} is refused, with what it would lose`, async (t) => {
    const { client, admin } = await clusterAsOperator(t, verbs);
    const error = await t.throwsAsync(ensureCrds(client, [Workspace], { release: '0.2.0' }), { instanceOf: UserError });
    t.is(error.code, 'E#1015');
    t.regex(
      error.message,
      /status\.guards\.\*\.phase is refused when it is "none"; status\.guards\.\*\.began is dropped/,
    );
    t.regex(error.hint ?? '', /^missing right: (patch|get) on .*\napply the definition of this release/);
    await ensureCrds(admin, [Workspace], { release: '0.2.0' });
    const [outcome] = await ensureCrds(client, [Workspace], { release: '0.2.0' });
    t.deepEqual(
      outcome,
      { name, outcome: 'kept' },
      'no right is missed where another client has brought it up to date',
    );
  });

test('a kind that is not installed, and no right to install it, is a missing right', async (t) => {
  const { client, admin } = await clusterAsOperator(t, ['watch']);
  await admin.delete(CustomResourceDefinitionKind, { name });
  const error = await t.throwsAsync(ensureCrds(client, [Workspace]), { instanceOf: UserError });
  t.is(error.code, 'E#1011');
});

test('an earlier release leaves the definition of a newer one alone; what it writes is kept there', async (t) => {
  const { client } = await clusterWithClient(t);
  await ensureCrds(client, [Workspace], { release: '0.2.0' });
  const [outcome] = await ensureCrds(client, [{ ...Workspace, crd: earlier }], { release: '0.1.0' });
  t.like(outcome, { outcome: 'kept', notice: `${name} is left alone: the newer release 0.2.0 wrote it` });
  const { spec } = await client.get(CustomResourceDefinitionKind, { name });
  t.true(JSON.stringify(spec.versions).includes('"began"'));
});
