import test from 'ava';
import { Workspace } from '../../../../../sdk/api/workspace.ts';
import { statusGaps } from '../../../../../sdk/client/crds/crd-gaps.ts';
import { ensureCrds } from '../../../../../sdk/client/crds/ensure-crds.ts';
import { servedCrdVersion } from '../../../../../sdk/client/crds/served-crd-version.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { createCluster } from '../../../../cluster/index.ts';

test('what OpenAPI and discovery say of a kind is its version without a gap; a kind that is not served has none', async (t) => {
  const cluster = await createCluster({ rbac: true });
  t.teardown(() => cluster.close());
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const nobody = { name: 'nobody', groups: ['system:authenticated'] };
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcherAs(nobody) });
  t.is(await servedCrdVersion(client, Workspace, {}), undefined);
  await ensureCrds(admin, [Workspace]);
  await cluster.settle();
  const served = await servedCrdVersion(client, Workspace, {});
  if (served === undefined || served === 'unknown') return t.fail(served);
  const [ours] = (await Workspace.crd?.())?.spec.versions ?? [];
  t.deepEqual(statusGaps(ours!, served), []);
});

test('a server that shows no OpenAPI document of a kind serves it, with an unknown schema', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  cluster.intercept((request, next) =>
    next(request.url.startsWith('/openapi/v3') ? { ...request, url: '/openapi/v3/nowhere' } : request),
  );
  t.is(await servedCrdVersion(client, Workspace, {}), 'unknown');
});
