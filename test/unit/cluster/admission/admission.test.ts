import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { type AdmissionReview, createCluster, type WebhookFunction } from '../../../cluster/index.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import { askOf } from '../fixtures/ask.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';
const url = 'https://hook.example.com/review';

interface HookOptions {
  readonly clientConfig?: Fields;
  readonly more?: Fields;
  readonly operations?: readonly string[];
}

const configuration = ({ clientConfig = { url }, more = {}, operations = ['*'] }: HookOptions = {}): Fields => ({
  metadata: { name: 'hooks' },
  webhooks: [
    {
      name: 'hook.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig,
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }],
      ...more,
    },
  ],
});

async function start(t: ExecutionContext, webhook?: WebhookFunction) {
  const reviews: AdmissionReview['request'][] = [];
  const webhooks: Record<string, WebhookFunction> =
    webhook === undefined
      ? {}
      : {
          [url]: (review) => {
            reviews.push(review.request);
            return webhook(review);
          },
        };
  const cluster = await createCluster({ webhooks });
  t.teardown(() => cluster.close());
  return { cluster, ask: askOf(cluster), reviews };
}

const patchOf = (...operations: object[]): string => Buffer.from(JSON.stringify(operations)).toString('base64');

test('a validating webhook sees the object as it would be stored, and may refuse it', async (t) => {
  const { ask, reviews } = await start(t, ({ request }) => ({
    allowed: request.name !== 'bad',
    status: { code: 403, reason: 'Forbidden', message: 'not this one' },
    warnings: ['be careful'],
  }));
  await ask(`POST ${group}/validatingwebhookconfigurations`, configuration());
  const refused = await ask(`POST ${maps}`, { metadata: { name: 'bad' } });
  t.is(refused.status, 403);
  t.is(refused.body.message, 'admission webhook "hook.example.com" denied the request: not this one');
  const { status, headers } = await ask(`POST ${maps}?fieldManager=me`, {
    metadata: { name: 'good' },
    data: { a: 'b' },
  });
  t.is(status, 201);
  t.is(headers.warning, '299 - "be careful"');
  const [, request] = reviews;
  t.like(request, {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'good',
    namespace: 'default',
    userInfo: { username: 'kubernetes-admin' },
    object: { kind: 'ConfigMap', data: { a: 'b' } },
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', fieldManager: 'me' },
  });
  t.truthy(((request!.object as Fields).metadata as Fields).uid);
});

test('a mutating webhook changes what is stored, by create, update, patch and apply', async (t) => {
  const patch = patchOf({ op: 'add', path: '/data/stamp', value: 'yes' });
  const { ask } = await start(t, () => ({ allowed: true, patch, patchType: 'JSONPatch' }));
  await ask(`POST ${group}/mutatingwebhookconfigurations`, configuration());
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } };
  t.deepEqual((await ask(`POST ${maps}`, object)).body.data, { a: '1', stamp: 'yes' });
  t.deepEqual((await ask(`PUT ${maps}/a`, { ...object, data: { a: '2' } })).body.data, { a: '2', stamp: 'yes' });
  const patched = await ask(`PATCH ${maps}/a`, { data: { a: '3', stamp: null } });
  t.deepEqual(patched.body.data, { a: '3', stamp: 'yes' });
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const applied = await ask(`PATCH ${maps}/b?fieldManager=me`, { ...object, metadata: { name: 'b' } }, headers);
  t.deepEqual(applied.body.data, { a: '1', stamp: 'yes' });
});

test('a deletion can be refused; it shows the object in oldObject', async (t) => {
  const { ask, reviews } = await start(t, () => ({ allowed: false }));
  await ask(`POST ${maps}`, { metadata: { name: 'a' } });
  await ask(`POST ${group}/validatingwebhookconfigurations`, configuration({ operations: ['DELETE'] }));
  const { status, body } = await ask(`DELETE ${maps}/a`);
  t.is(status, 400);
  t.is(body.message, 'admission webhook "hook.example.com" denied the request without explanation');
  t.like(reviews[0], { operation: 'DELETE', object: null, oldObject: { metadata: { name: 'a' } } });
  t.is((await ask(`GET ${maps}/a`)).status, 200);
});

test('a write that another overtakes while its webhook thinks is done anew', async (t) => {
  let meddle: (() => Promise<unknown>) | undefined;
  const { ask, reviews } = await start(t, async () => {
    const now = meddle;
    meddle = undefined;
    await now?.();
    return { allowed: true };
  });
  await ask(`POST ${maps}`, { metadata: { name: 'a' } });
  await ask(`POST ${group}/validatingwebhookconfigurations`, configuration());
  meddle = () => ask(`PATCH ${maps}/a`, { data: { other: '1' } });
  const { body } = await ask(`PATCH ${maps}/a`, { data: { mine: '1' } });
  t.deepEqual(body.data, { mine: '1', other: '1' });
  t.is(reviews.length, 3);
});

async function listen(t: ExecutionContext, listener: RequestListener) {
  const authority = await createAuthority(Date.now());
  const { certificate, key } = authority.issue(['127.0.0.1']);
  const server = createServer({ cert: certificate, key }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/hook`,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    own: Buffer.from(certificate).toString('base64'),
  };
}

test('webhooks by URL are called over HTTPS, where their authority is trusted', async (t) => {
  const paths: (string | undefined)[] = [];
  const { own, ...clientConfig } = await listen(t, async (request, response) => {
    paths.push(request.url);
    let text = '';
    for await (const chunk of request) text += chunk;
    const { request: asked, apiVersion } = JSON.parse(text) as AdmissionReview;
    const allowed = asked.name !== 'bad';
    const answer = { kind: 'AdmissionReview', apiVersion, response: { uid: asked.uid, allowed } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  const { ask } = await start(t);
  await ask(
    `POST ${group}/validatingwebhookconfigurations`,
    configuration({ clientConfig, more: { timeoutSeconds: 3 } }),
  );
  t.is((await ask(`POST ${maps}`, { metadata: { name: 'good' } })).status, 201);
  t.is((await ask(`POST ${maps}`, { metadata: { name: 'bad' } })).status, 400);
  t.deepEqual(paths, ['/hook?timeout=3s', '/hook?timeout=3s']);
  const trusting = configuration({
    clientConfig: { url: clientConfig.url.replace('/hook', '//hook/'), caBundle: own },
    more: { timeoutSeconds: 3 },
  });
  await ask(`PATCH ${group}/validatingwebhookconfigurations/hooks`, { webhooks: trusting.webhooks });
  t.is(
    (await ask(`POST ${maps}`, { metadata: { name: 'better' } })).status,
    201,
    "the server's own certificate will do",
  );
  t.is(paths[2], '/hook?timeout=3s', 'slashes count once');
  const { webhooks } = configuration({ clientConfig: { url: clientConfig.url } });
  await ask(`PATCH ${group}/validatingwebhookconfigurations/hooks`, { webhooks });
  const { status, body } = await ask(`POST ${maps}`, { metadata: { name: 'other' } });
  t.is(status, 500);
  t.regex(String(body.message), /certificate signed by unknown authority$/);
});

test('a webhook that answers something else has failed', async (t) => {
  const { own: _own, ...clientConfig } = await listen(t, (_request, response) => response.end('{}'));
  const { ask } = await start(t);
  await ask(`POST ${group}/validatingwebhookconfigurations`, configuration({ clientConfig }));
  const { status, body } = await ask(`POST ${maps}`, { metadata: { name: 'a' } });
  t.is(status, 500);
  t.regex(
    String(body.message),
    /^Internal error occurred: failed calling webhook "hook.example.com": received invalid webhook response/,
  );
});

test('a webhook with side effects is not asked about dry runs', async (t) => {
  const { ask } = await start(t, () => ({ allowed: true }));
  await ask(`POST ${group}/validatingwebhookconfigurations`, configuration({ more: { sideEffects: 'NoneOnDryRun' } }));
  t.is((await ask(`POST ${maps}?dryRun=All`, { metadata: { name: 'a' } })).status, 201);
});

test('a policy speaks of variables, parameters and the namespace, and may warn instead of deny', async (t) => {
  const { ask } = await start(t);
  await ask('POST /api/v1/namespaces/default/secrets', { metadata: { name: 'limits' }, stringData: { most: '2' } });
  await ask(`POST ${group}/validatingadmissionpolicies`, {
    metadata: { name: 'short' },
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'Secret' },
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
      variables: [{ name: 'length', expression: 'size(object.metadata.name)' }],
      validations: [
        {
          expression: "variables.length <= 2 || !has(params.data.most) || namespaceObject.metadata.name != 'default'",
          messageExpression: "'too long: ' + string(variables.length)",
          reason: 'Forbidden',
        },
      ],
    },
  });
  const bind = (validationActions: readonly string[]) => ({
    metadata: { name: 'short' },
    spec: { policyName: 'short', paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' }, validationActions },
  });
  await ask(`POST ${group}/validatingadmissionpolicybindings`, bind(['Deny']));
  const refused = await ask(`POST ${maps}`, { metadata: { name: 'long' } });
  t.is(refused.status, 403);
  t.is(
    refused.body.message,
    `configmaps "long" is forbidden: ValidatingAdmissionPolicy 'short' with binding 'short' denied request: too long: 4`,
  );
  t.is((await ask(`POST ${maps}`, { metadata: { name: 'ok' } })).status, 201);
  await ask(`PATCH ${group}/validatingadmissionpolicybindings/short`, { spec: { validationActions: ['Warn'] } });
  const warned = await ask(`POST ${maps}`, { metadata: { name: 'long' } });
  t.is(warned.status, 201);
  t.is(
    warned.headers.warning,
    `299 - "Validation failed for ValidatingAdmissionPolicy 'short' with binding 'short': too long: 4"`,
  );
});
