import test from 'ava';
import { createCluster } from '../../../cluster/cluster.ts';
import { askOf } from '../fixtures/ask.ts';

const name = 'constructor';
const container = { name: 'main', image: 'example.test/main' };
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const flowOf = (kind: string) => ({
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: 'global-default' },
    rules: [
      {
        subjects: [{ kind, user: { name: 'a' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ],
  },
});
const reference = { name: 'A', valueFrom: { resourceFieldRef: { resource: `limits.${name}`, divisor: '1' } } };

const cases: readonly (readonly [what: string, ask: string, body: object, status: number])[] = [
  ['a Secret of that type', 'POST /api/v1/namespaces/default/secrets', { metadata: { name }, type: name }, 201],
  ['a FlowSchema of that name', `POST ${flow}`, flowOf('User'), 201],
  ['a subject of that kind', `POST ${flow}`, flowOf(name), 422],
  [
    'a scope of a quota',
    'POST /api/v1/namespaces/default/resourcequotas',
    { metadata: { name }, spec: { scopes: [name] } },
    422,
  ],
  [
    'a PriorityClass',
    'POST /api/v1/namespaces/default/pods',
    { metadata: { name }, spec: { containers: [container], priorityClassName: name } },
    403,
  ],
  [
    'a resource',
    'POST /api/v1/namespaces/default/pods',
    { metadata: { name }, spec: { containers: [{ ...container, env: [reference] }] } },
    422,
  ],
  [
    'a type of addresses',
    'POST /apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    { metadata: { name }, addressType: name, endpoints: [{ addresses: ['10.0.0.1'] }] },
    422,
  ],
];

for (const [what, request, body, status] of cases) {
  test(`the name of a member of every JavaScript object as ${what} is answered as any other`, async (t) => {
    const ask = askOf(await createCluster());
    const other = JSON.parse(JSON.stringify(body).replaceAll(name, 'other'));
    t.is((await ask(request, other)).status, status);
    t.is((await ask(request, body)).status, status);
  });
}

test('a node label named as a member of every JavaScript object is not deprecated', async (t) => {
  const ask = askOf(await createCluster());
  const spec = { containers: [container], nodeSelector: { [name]: 'a' } };
  const { headers } = await ask('POST /api/v1/namespaces/default/pods', { metadata: { name }, spec });
  t.is(headers.warning, undefined);
});
