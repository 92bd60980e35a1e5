import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createCluster, createManualClock } from '../../../cluster/index.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf } from '../fixtures/ask.ts';

const versions = ['1.27', '1.28', '1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.35'];

async function start(t: ExecutionContext, version: string) {
  const cluster = await createCluster({ version, clock: createManualClock() });
  t.teardown(() => cluster.close());
  return askOf(cluster);
}

type Asked = Awaited<ReturnType<typeof start>>;

const apis = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const property = { type: 'integer', minimum: 5 };

/** Definition whose schema can be made stricter. */
const definition = (schema: object, more = {}) =>
  aDefinition(
    { type: 'object', properties: { size: schema, name: { type: 'string' } } },
    { scope: 'Cluster', ...more },
  );

const discovery = async (ask: Asked, form: string): Promise<boolean> => {
  const accept = `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList,application/json`;
  const { headers, body } = await ask('GET /apis', undefined, { accept });
  return String(headers['content-type']).includes(`v=${form}`) && body.apiVersion === `apidiscovery.k8s.io/${form}`;
};
const isServed = (path: string) => async (ask: Asked) => {
  const at = path.lastIndexOf('/');
  const { body } = await ask(`GET ${path.slice(0, at)}`);
  const resources = (body.resources ?? []) as readonly { readonly name: string }[];
  return resources.some(({ name }) => name === path.slice(at + 1).replace('|', '/'));
};
const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' } };
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
const keeps = (path: string, body: object, field: string) => async (ask: Asked) =>
  JSON.stringify((await ask(`POST ${path}?dryRun=All`, body)).body.spec ?? {}).includes(`"${field}"`);
const keepsInJob = (field: string, value: unknown, more = {}) =>
  keeps('/apis/batch/v1/namespaces/default/jobs', { ...job, spec: { template, [field]: value, ...more } }, field);
const ratchets = (strict: object) => async (ask: Asked) => {
  await ask(`POST ${apis}`, definition({ type: 'integer' }));
  await ask('POST /apis/example.com/v1/gadgets', {
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'a' },
    size: 1,
  });
  await ask(`PATCH ${apis}/gadgets.example.com`, [
    { op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema/properties/size', value: strict },
  ]);
  return (await ask('PATCH /apis/example.com/v1/gadgets/a', { name: 'x' })).status === 200;
};
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  matchConditions: [{ name: 'a', expression: 'true' }],
};

interface Row {
  /** Cell of the table in docs/cluster/versions.md. */
  readonly what: string;
  readonly from: string;
  /** Later versions that lack the feature, if any. */
  readonly without?: readonly string[];
  readonly has: (ask: Asked) => Promise<boolean>;
}

const rows: readonly Row[] = [
  {
    what: 'aggregated discovery `v2beta1`',
    from: '1.27',
    without: ['1.33', '1.34', '1.35'],
    has: (ask) => discovery(ask, 'v2beta1'),
  },
  { what: 'aggregated discovery `v2`', from: '1.30', has: (ask) => discovery(ask, 'v2') },
  {
    what: 'streaming lists (`sendInitialEvents`)',
    from: '1.32',
    without: ['1.33'],
    has: async (ask) => {
      const { status } = await ask(
        'GET /api/v1/pods?watch=true&timeoutSeconds=0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=x',
      );
      return status !== 422;
    },
  },
  { what: '`selfsubjectreviews`', from: '1.28', has: isServed('/apis/authentication.k8s.io/v1/selfsubjectreviews') },
  {
    what: '`validatingadmissionpolicies` and their bindings',
    from: '1.30',
    has: isServed('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'),
  },
  { what: '`ipaddresses`, `servicecidrs`', from: '1.33', has: isServed('/apis/networking.k8s.io/v1/ipaddresses') },
  { what: '`pods/resize`', from: '1.33', has: isServed('/api/v1/pods|resize') },
  {
    what: '`volumeattributesclasses`, `resource.k8s.io`',
    from: '1.34',
    has: isServed('/apis/resource.k8s.io/v1/resourceclaims'),
  },
  {
    what: '`matchConditions` of webhooks',
    from: '1.28',
    has: async (ask) => {
      const { body } = await ask(`POST ${webhooks}`, { metadata: { name: 'a' }, webhooks: [webhook] });
      return JSON.stringify(body).includes('"matchConditions":[{"name"');
    },
  },
  {
    what: 'sidecars (`restartPolicy` of init containers)',
    from: '1.29',
    has: async (ask) => {
      const initContainers = [{ name: 'i', image: 'i', restartPolicy: 'Always' }];
      const spec = { ...template.spec, initContainers };
      const pod = { metadata: { name: 'a' }, spec };
      const { body } = await ask('POST /api/v1/namespaces/default/pods?dryRun=All', pod);
      return JSON.stringify(body.spec).includes('"restartPolicy":"Always"');
    },
  },
  {
    what: "a Job's `podReplacementPolicy`, with its default",
    from: '1.29',
    has: keepsInJob('podReplacementPolicy', undefined),
  },
  {
    what: "a Job's `backoffLimitPerIndex`, `maxFailedIndexes`",
    from: '1.29',
    has: keepsInJob('backoffLimitPerIndex', 1, { completionMode: 'Indexed', completions: 2 }),
  },
  {
    what: "a Job's `successPolicy`",
    from: '1.31',
    has: keepsInJob('successPolicy', { rules: [{ succeededCount: 1 }] }, { completionMode: 'Indexed', completions: 2 }),
  },
  { what: "a Job's `managedBy`", from: '1.32', has: keepsInJob('managedBy', 'example.com/x') },
  {
    what: "a Service's `trafficDistribution`",
    from: '1.31',
    has: keeps(
      '/api/v1/namespaces/default/services',
      { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], trafficDistribution: 'PreferClose' } },
      'trafficDistribution',
    ),
  },
  {
    what: '`selectableFields` of definitions',
    from: '1.31',
    has: keeps(apis, definition(property, { selectableFields: [{ jsonPath: '.name' }] }), 'selectableFields'),
  },
  {
    what: '`reason` and `fieldPath` of CEL rules',
    from: '1.28',
    has: keeps(
      apis,
      definition({
        type: 'integer',
        'x-kubernetes-validations': [{ rule: 'self > 1', reason: 'FieldValueForbidden' }],
      }),
      'reason',
    ),
  },
  {
    what: '`optionalOldSelf` of CEL rules',
    from: '1.30',
    has: keeps(
      apis,
      definition({
        type: 'integer',
        'x-kubernetes-validations': [{ rule: '!oldSelf.hasValue()', optionalOldSelf: true }],
      }),
      'optionalOldSelf',
    ),
  },
  { what: 'ratcheting: what was invalid before may stay so', from: '1.30', has: ratchets(property) },
];

for (const { what, from, without = [], has } of rows) {
  test(`from ${from}: ${what}`, async (t) => {
    const found: string[] = [];
    for (const version of versions) if (await has(await start(t, version))) found.push(version);
    t.deepEqual(
      found,
      versions.filter((version) => version >= from && !without.includes(version)),
    );
  });
}

test('CEL rules ratchet as schemas do', async (t) => {
  const strict = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1' }] };
  t.false(await ratchets(strict)(await start(t, '1.29')));
  t.true(await ratchets(strict)(await start(t, '1.30')));
});

test('the page about the cluster has the same table', (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/cluster/versions.md'), 'utf8');
  for (const { what, from, without = [] } of rows) {
    const when = without.length === 0 ? `${from} on` : from === '1.27' ? 'to 1.32' : `${from}, and 1.34 on`;
    t.true(page.includes(`| ${what} | ${when} |`), `| ${what} | ${when} |`);
  }
});

test('/version says which one it is, and versions without a profile are refused', async (t) => {
  const infoOf = async (version: string) => (await (await start(t, version))('GET /version')).body;
  t.like(await infoOf('1.29'), { major: '1', minor: '29', gitVersion: 'v1.29.0' });
  t.like(await infoOf('v1.30.4'), { minor: '30', gitVersion: 'v1.30.4' });
  for (const version of ['1.26', '1.36', '2.0', 'latest', '1']) {
    await t.throwsAsync(createCluster({ version }), { instanceOf: TypeError, message: /one from 1.27 to 1.35/ });
  }
});
