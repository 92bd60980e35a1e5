import test from 'ava';
import { createCluster } from '../../../../cluster/index.ts';
import { askOf } from '../../fixtures/ask.ts';
import { answersAsReal } from '../../fixtures/expected-answers.ts';

const services = '/api/v1/namespaces/default/services';
const service = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { selector: { a: 'b' }, ports: [{ port: 80 }], ...spec },
});

interface Spec {
  readonly clusterIP: string;
  readonly ports: readonly { readonly nodePort?: number }[];
}

async function start() {
  const ask = askOf(await createCluster());
  const make = async (name: string, spec: object = {}) =>
    (await ask(`POST ${services}`, service(name, spec))).body.spec as Spec;
  return { ask, make };
}

test('the API server has a service of its own', async (t) => {
  const { ask, make } = await start();
  t.is(((await ask(`GET ${services}/kubernetes`)).body.spec as Spec).clusterIP, '10.96.0.1');
  t.falsy(await make('greedy', { clusterIP: '10.96.0.1' }));
});

test('each service gets an address of its own, and keeps it', async (t) => {
  const { ask, make } = await start();
  const [a, b] = [await make('a'), await make('b')];
  t.regex(a.clusterIP, /^10\.96\./);
  t.not(a.clusterIP, b.clusterIP);
  const { body } = await ask(`PUT ${services}/a`, service('a'));
  t.is((body.spec as Spec).clusterIP, a.clusterIP);
});

test('addresses of services are IPAddresses, and those that are kept by hand are given to no service', async (t) => {
  const { ask, make } = await start();
  const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
  const { clusterIP } = await make('a');
  await make('headless', { clusterIP: 'None' });
  const [first, second, ...others] = (await ask(`GET ${addresses}`)).body.items as Record<string, unknown>[];
  t.like(first, { metadata: { name: '10.96.0.1' }, spec: { parentRef: { name: 'kubernetes' } } });
  t.like(second, {
    metadata: { name: clusterIP, labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'a' } },
  });
  t.is(others.length, 0);
  await ask(`DELETE ${services}/a`);
  t.is((await ask(`GET ${addresses}/${clusterIP}`)).status, 404);
  const parentRef = { resource: 'services', namespace: 'default', name: 'x' };
  await ask(`POST ${addresses}`, { metadata: { name: '10.96.9.9' }, spec: { parentRef } });
  t.falsy(await make('b', { clusterIP: '10.96.9.9' }));
  await ask(`DELETE ${addresses}/10.96.9.9`);
  t.is((await make('b', { clusterIP: '10.96.9.9' })).clusterIP, '10.96.9.9');
});

test('an address can be asked for, once at a time', async (t) => {
  const { ask, make } = await start();
  t.is((await make('a', { clusterIP: '10.96.7.7' })).clusterIP, '10.96.7.7');
  t.is((await ask(`POST ${services}`, service('b', { clusterIP: '10.96.7.7' }))).status, 422);
  await ask(`DELETE ${services}/a`);
  t.is((await make('b', { clusterIP: '10.96.7.7' })).clusterIP, '10.96.7.7');
});

test('headless services have none, and node ports come with the type', async (t) => {
  const { ask, make } = await start();
  t.is((await make('a', { clusterIP: 'None' })).clusterIP, 'None');
  const port = (await make('b', { type: 'NodePort' })).ports[0]?.nodePort ?? 0;
  t.true(port >= 30_000 && port <= 32_767);
  const taken = service('c', { type: 'NodePort', ports: [{ port: 80, nodePort: port }] });
  t.is((await ask(`POST ${services}`, taken)).status, 422);
});

test('an Event is one object in two views', async (t) => {
  const { ask } = await start();
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  await ask('POST /api/v1/namespaces/default/events', {
    metadata: { name: 'e' },
    involvedObject,
    reason: 'R',
    message: 'm',
    count: 2,
  });
  const view = await ask('GET /apis/events.k8s.io/v1/namespaces/default/events/e');
  t.like(view.body, { apiVersion: 'events.k8s.io/v1', regarding: involvedObject, note: 'm', deprecatedCount: 2 });
  const selected = await ask('GET /api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dp');
  t.is((selected.body.items as unknown[]).length, 1);
});

test('an ingress that names no class gets the default one', async (t) => {
  const ask = askOf(await createCluster());
  const group = '/apis/networking.k8s.io/v1';
  const spec = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };
  const classOf = async (name: string, more = {}) => {
    const { body } = await ask(`POST ${group}/namespaces/default/ingresses`, {
      metadata: { name },
      spec: { ...spec, ...more },
    });
    return (body.spec as { ingressClassName?: string }).ingressClassName;
  };
  t.is(await classOf('none'), undefined);
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  for (const name of ['b', 'a']) {
    await ask(`POST ${group}/ingressclasses`, {
      metadata: { name, annotations },
      spec: { controller: 'example.test/it' },
    });
  }
  t.is(await classOf('default'), 'a');
  t.is(await classOf('named', { ingressClassName: 'b' }), 'b');
});

const merge = 'application/merge-patch+json';
const readdress = (name: string, spec: object, answer: string) => ({
  ask: `PATCH ${services}/${name}`,
  type: merge,
  body: { spec },
  answer,
});
const onceSet = (name: string, ip: string): string =>
  `422 Service "${name}" is invalid: spec.clusterIPs[0]: Invalid value: ["${ip}"]: may not change once set`;
const outside = (name: string): string =>
  `422 Service "${name}" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.12"]: failed to allocate IP 10.0.0.12: the provided network does not match the current range`;

test(
  'the address of a service stays, by whichever of its fields it is asked to change',
  answersAsReal(
    {
      before: [
        [
          `POST ${services}`,
          { metadata: { name: 'headless' }, spec: { clusterIP: 'None', selector: { a: 'b' }, ports: [{ port: 80 }] } },
        ],
        [`POST ${services}`, { metadata: { name: 'a' }, spec: { clusterIP: '10.96.3.4', ports: [{ port: 80 }] } }],
        [`POST ${services}`, { metadata: { name: 'named' }, spec: { type: 'ExternalName', externalName: 'x.y' } }],
      ],
    },
    [
      readdress('headless', { clusterIP: '10.0.0.12' }, onceSet('headless', '10.0.0.12')),
      readdress('headless', { clusterIP: '10.96.3.5' }, onceSet('headless', '10.96.3.5')),
      readdress('a', { clusterIP: '10.96.3.5' }, onceSet('a', '10.96.3.5')),
      readdress('a', { clusterIP: 'None' }, onceSet('a', 'None')),
      readdress('a', { clusterIP: 'None', clusterIPs: ['None'] }, onceSet('a', 'None')),
      { ...readdress('a', { clusterIP: null }, '200'), like: { spec: { clusterIP: '10.96.3.4' } } },
      readdress('named', { type: 'ClusterIP', clusterIP: '10.0.0.12', ports: [{ port: 80 }] }, outside('named')),
      {
        ask: `POST ${services}`,
        body: { metadata: { name: 'b' }, spec: { clusterIP: '10.0.0.12', ports: [{ port: 80 }] } },
        answer: outside('b'),
      },
      {
        ...readdress('named', { type: 'ClusterIP', clusterIP: '10.96.3.6', ports: [{ port: 80 }] }, '200'),
        like: { spec: { clusterIP: '10.96.3.6', clusterIPs: ['10.96.3.6'] } },
      },
    ],
  ),
);

test('addresses come from another range where that is asked for', async (t) => {
  const ask = askOf(await createCluster({ serviceRange: '10.0.0.0/24' }));
  const make = async (name: string, spec: object = {}) => (await ask(`POST ${services}`, service(name, spec))).body;
  t.like((await ask(`GET ${services}/kubernetes`)).body.spec, { clusterIP: '10.0.0.1' });
  t.regex(((await make('a')).spec as Spec).clusterIP, /^10\.0\.0\.\d+$/);
  t.like((await make('b', { clusterIP: '10.0.0.77' })).spec, { clusterIP: '10.0.0.77' });
  t.regex(`${(await make('c', { clusterIP: '10.96.0.77' })).message}`, /does not match the current range/);
  const { body } = await ask('GET /apis/networking.k8s.io/v1/servicecidrs/kubernetes');
  t.deepEqual(body.spec, { cidrs: ['10.0.0.0/24'] });
  for (const serviceRange of ['10.0.0.0', '10.0.0.7/24', '10.0.0/24', '0.0.0.0/0', '10.0.0.0/31', 'fd00::/108'])
    await t.throwsAsync(createCluster({ serviceRange }), { instanceOf: TypeError, message: /^serviceRange is / });
});
