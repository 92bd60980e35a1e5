import test, { type ExecutionContext } from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { type ClusterOptions, createCluster } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const maps = '/api/v1/namespaces/default/configmaps';

async function start(t: ExecutionContext, options: ClusterOptions = {}) {
  const cluster = await createCluster(options);
  t.teardown(() => cluster.close());
  return { cluster, ask: askOf(cluster) };
}

const policy = (name: string, resources: Fields, spec: Fields): Fields => ({
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [{ apiVersions: ['v1'], operations: ['CREATE'], ...resources }] },
    ...spec,
  },
});

const aboutMaps = { apiGroups: [''], resources: ['configmaps'] };

test('the expressions of a policy are checked against the types that it is about', async (t) => {
  const { cluster, ask } = await start(t);
  const aboutDeployments = { apiGroups: ['apps'], resources: ['deployments'] };
  const validations = [
    { expression: 'object.spec.replicas > 1' },
    { expression: "object.spec.replicas > '1'", messageExpression: "'wants more than ' + object.spec.replicas" },
    { expression: 'object.spec.template.spec.containers.all(c, c.nope == "")' },
  ];
  t.is((await ask(`POST ${policies}`, policy('typed', aboutDeployments, { validations }))).status, 201);
  await cluster.settle();
  const { status } = (await ask(`GET ${policies}/typed`)).body as { status: Fields };
  const { expressionWarnings } = status.typeChecking as { expressionWarnings: readonly Fields[] };
  t.is(status.observedGeneration, 1);
  t.deepEqual(
    expressionWarnings.map(({ fieldRef, warning }) => [fieldRef, String(warning).split('\n', 1)[0]]),
    [
      [
        'spec.validations[1].expression',
        "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(int, string)'",
      ],
      [
        'spec.validations[1].messageExpression',
        "apps/v1, Kind=Deployment: ERROR: <input>:1:20: found no matching overload for '_+_' applied to '(string, int)'",
      ],
      ['spec.validations[2].expression', "apps/v1, Kind=Deployment: ERROR: <input>:1:46: undefined field 'nope'"],
    ],
  );
});

test('a policy whose expressions are right has nothing to say of them', async (t) => {
  const { cluster, ask } = await start(t);
  const validations = [{ expression: 'object.data.size() > 0 && object.metadata.name != ""' }];
  await ask(`POST ${policies}`, policy('right', aboutMaps, { validations }));
  await cluster.settle();
  const { status } = (await ask(`GET ${policies}/right`)).body as { status: Fields };
  t.deepEqual(status.typeChecking, {});
});

test('types of custom resources are known, too', async (t) => {
  const { cluster, ask } = await start(t);
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const names = { plural: 'things', kind: 'Thing' };
  await ask(`POST ${definitions}`, {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  });
  await cluster.settle();
  const aboutThings = { apiGroups: ['example.com'], resources: ['things'] };
  const validations = [
    { expression: 'object.spec.size > 1 && object.metadata.name != ""' },
    { expression: 'object.size > 1' },
  ];
  await ask(`POST ${policies}`, policy('things', aboutThings, { validations }));
  await cluster.settle();
  const { status } = (await ask(`GET ${policies}/things`)).body as { status: Fields };
  const { expressionWarnings } = status.typeChecking as { expressionWarnings: readonly Fields[] };
  t.deepEqual(
    expressionWarnings.map(({ warning }) => String(warning).split('\n', 1)[0]),
    ["example.com/v1, Kind=Thing: ERROR: <input>:1:7: undefined field 'size'"],
  );
});

test('authorizer asks the roles of the cluster', async (t) => {
  const { ask } = await start(t, { rbac: true });
  const account = 'authorizer.serviceAccount("default", "robot").group("").resource("secrets").namespace("default")';
  const validations = [
    { expression: `${account}.check("get").allowed()`, message: 'robot may not read secrets' },
    { expression: 'authorizer.requestResource.check("create").allowed()', message: 'you may not' },
  ];
  await ask(`POST ${policies}`, policy('asking', aboutMaps, { validations }));
  const bound = { policyName: 'asking', validationActions: ['Deny'] };
  await ask(`POST ${bindings}`, { metadata: { name: 'asking' }, spec: bound });
  const refused = await ask(`POST ${maps}`, { metadata: { name: 'a' } });
  t.is(refused.status, 422);
  t.regex(String(refused.body.message), /denied request: robot may not read secrets$/);
  await ask('POST /apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    metadata: { name: 'robot' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
  });
  const { status, body } = await ask(`POST ${maps}`, { metadata: { name: 'a' } });
  t.is(status, 201, JSON.stringify(body));
});
