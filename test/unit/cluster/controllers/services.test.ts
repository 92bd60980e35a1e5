import test from 'ava';
import type { ApiObject } from '../../../cluster/apimachinery/object.ts';
import { aSelector, aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const web = { metadata: { name: 'web' }, spec: { replicas: 2, selector: aSelector, template: aTemplate() } };
const service = (spec = {}) => ({
  metadata: { name: 'web' },
  spec: { selector: { app: 'it' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...spec },
});
interface Slice extends ApiObject {
  readonly endpoints:
    | readonly { readonly addresses: readonly string[]; readonly conditions: { readonly ready: boolean } }[]
    | null;
  readonly ports: readonly { readonly port: number }[] | null;
}
interface Endpoints extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly notReadyAddresses?: readonly unknown[];
  }[];
}

test('a Service has the addresses of its pods, ready or not', async (t) => {
  const { cluster, make, pods, get, list } = await aWorkloadCluster();
  await make('services', service());
  await make('deployments', web);
  const addresses = pods().map(({ status }) => status?.podIP);
  const [slice] = list<Slice>('EndpointSlice');
  t.deepEqual(
    slice!.endpoints?.map((endpoint) => endpoint.addresses[0]),
    addresses,
  );
  t.is(slice!.ports?.[0]?.port, 8080);
  await cluster.kubelet.unready(`default/${pods()[0]!.metadata.name}`);
  t.deepEqual(
    list<Slice>('EndpointSlice')[0]!.endpoints?.map(({ conditions }) => conditions.ready),
    [false, true],
  );
  const [subset] = get<Endpoints>('Endpoints', 'web').subsets ?? [];
  t.is(subset?.addresses?.length, 1);
  t.is(subset?.notReadyAddresses?.length, 1);
});

test('what a Service had goes with it', async (t) => {
  const { make, remove, list } = await aWorkloadCluster();
  await make('services', service());
  t.is(list('EndpointSlice').length, 1);
  await remove('services', 'web');
  t.is(list('EndpointSlice').length, 0);
  t.is(list('Endpoints').filter(({ metadata }) => metadata.name === 'web').length, 0);
});

test('more than a hundred pods are in several slices', async (t) => {
  const { make, list } = await aWorkloadCluster();
  await make('services', service());
  await make('deployments', { ...web, spec: { ...web.spec, replicas: 120 } });
  t.deepEqual(
    list<Slice>('EndpointSlice')
      .map(({ endpoints }) => endpoints?.length)
      .sort(),
    [100, 20],
  );
});

test('a load balancer gets an address', async (t) => {
  const { make, change, get } = await aWorkloadCluster();
  await make('services', service({ type: 'LoadBalancer' }));
  t.like(get('Service', 'web').status, { loadBalancer: { ingress: [{ ip: '127.0.0.2' }] } });
  await change('services', 'web', { spec: { type: 'ClusterIP' } });
  t.deepEqual(get('Service', 'web').status, { loadBalancer: {} });
});
