import test from 'ava';
import type { WatchLine } from '../real/api.ts';
import { until } from '../real/until.ts';
import { startServersUnderTest } from './servers.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const message = (what: string) => ({ message: (error: unknown) => `${what} within a minute (${error})` });

interface Answered {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

for (const { name, api, close } of await startServersUnderTest()) {
  test.after.always(`${name} stops`, close);

  test(`${name}: a watch tells of every change since a version, in order`, async (t) => {
    const made = await api.ask({ method: 'POST', path: configMaps, body: { metadata: { name: 'watched' } } });
    t.is(made.status, 201);
    const { resourceVersion } = (made.body as Answered).metadata;
    const path = `${configMaps}/watched`;
    t.is((await api.ask({ method: 'PATCH', path, body: { data: { a: '1' } } })).status, 200);
    t.is((await api.ask({ method: 'DELETE', path })).status, 200);

    const watch = `${configMaps}?watch=true&fieldSelector=metadata.name%3Dwatched&resourceVersion=${resourceVersion}`;
    const seen: WatchLine['type'][] = [];
    for await (const { type } of api.watch(watch, AbortSignal.timeout(20_000))) {
      seen.push(type);
      if (type === 'DELETED') break;
    }
    t.deepEqual(seen, ['MODIFIED', 'DELETED']);
  });

  test(`${name}: a pod becomes Ready, and goes with its owner`, async (t) => {
    const owner = (await api.ask({ method: 'POST', path: configMaps, body: { metadata: { name: 'owner' } } }))
      .body as Answered;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }];
    const spec = { containers: [{ name: 'main', image: 'example.test/main' }] };
    const made = await api.ask({
      method: 'POST',
      path: pods,
      body: { metadata: { name: 'owned', ownerReferences }, spec },
    });
    t.is(made.status, 201);

    await until(async () => {
      const { status } = (await api.ask({ path: `${pods}/owned` })).body as Answered;
      return (
        status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') || undefined
      );
    }, message('the pod is not Ready'));
    await api.ask({ method: 'DELETE', path: `${configMaps}/owner` });
    const gone = async () => (await api.ask({ path: `${pods}/owned` })).status === 404 || undefined;
    t.true(await until(gone, message('the pod is not collected')));
  });
}
