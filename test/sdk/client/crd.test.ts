import test, { type ExecutionContext } from 'ava';
import { Pod } from '../../../sdk/api/kinds.ts';
import { Workspace } from '../../../sdk/api/workspace.ts';
import { ensureCrds } from '../../../sdk/client/crd.ts';
import { createClient } from '../../../sdk/client/http-client.ts';
import { UserError } from '../../../sdk/errors.ts';
import { createCluster } from '../../cluster/index.ts';
import { createManualClock } from '../../cluster/manual-clock.ts';
import { answer, failure, setUp } from './scripted-server.ts';

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
  t.is(error.message, `missing right: create on customresourcedefinitions.apiextensions.k8s.io "${name}" (no)`);
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
  t.regex(outcome?.notice ?? '', /missing right: update/);
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
