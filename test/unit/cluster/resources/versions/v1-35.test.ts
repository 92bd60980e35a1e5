import test, { type ExecutionContext } from 'ava';
import { createCluster, createManualClock } from '../../../../cluster/index.ts';
import { askOf } from '../../fixtures/ask.ts';

async function start(t: ExecutionContext, version: string) {
  const cluster = await createCluster({ version, rbac: true, clock: createManualClock() });
  t.teardown(() => cluster.close());
  return askOf(cluster);
}

test('enums, columns, storage versions, roles and fields are those of 1.35, and for 1.34 those of 1.34', async (t) => {
  const facts = async (version: string) => {
    const ask = await start(t, version);
    const { body: schemas } = await ask('GET /openapi/v3/api/v1');
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body: table } = await ask('GET /api/v1/serviceaccounts', undefined, { accept });
    const { body: devices } = await ask('GET /apis/resource.k8s.io/v1');
    const { body: viewer } = await ask('GET /apis/rbac.authorization.k8s.io/v1/clusterroles/system:aggregate-to-view');
    const { body: refused } = await ask('POST /apis/storage.k8s.io/v1/csidrivers', {
      metadata: { name: 'a' },
      spec: { serviceAccountTokenInSecrets: true },
    });
    const toleration = /"enum":\[("Equal","Exists"[^\]]*)\]/.exec(JSON.stringify(schemas))?.[1];
    const rows = table.rows as readonly { readonly cells: readonly unknown[] }[];
    return {
      toleration,
      columns: (table.columnDefinitions as readonly { readonly name: string }[]).map(({ name }) => name),
      cells: rows[0]?.cells.length,
      hash: (devices.resources as readonly Record<string, string>[])[0]?.storageVersionHash,
      events: JSON.stringify(viewer.rules).includes('"apiGroups":["","events.k8s.io"],"resources":["events"]'),
      driver: (refused.spec as Record<string, unknown>).serviceAccountTokenInSecrets,
    };
  };
  const former = {
    toleration: '"Equal","Exists"',
    columns: ['Name', 'Secrets', 'Age'],
    cells: 3,
    hash: 'weQRMT6DeYM=',
    events: false,
    driver: undefined,
  };
  t.deepEqual(await facts('1.34'), former);
  t.deepEqual(await facts('1.35'), {
    toleration: '"Equal","Exists","Gt","Lt"',
    columns: ['Name', 'Age'],
    cells: 2,
    hash: 'Yk2PTc1Ybxk=',
    events: true,
    driver: true,
  });
});

test('fields of features that are off by default in 1.35 are known, and dropped', async (t) => {
  const ask = await start(t, '1.35');
  const workloadRef = { name: 'a', podGroup: 'b' };
  const spec = { containers: [{ name: 'a', image: 'b' }], workloadRef };
  const { status, body } = await ask('POST /api/v1/namespaces/default/pods?fieldValidation=Strict', {
    metadata: { name: 'a' },
    spec,
  });
  t.is(status, 201, JSON.stringify(body));
  t.false('workloadRef' in (body.spec as object));
});
