import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../cluster/index.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import { askOf } from '../fixtures/ask.ts';
import { definition, definitions, version } from '../fixtures/some-definitions.ts';

async function start() {
  const cluster = await createCluster();
  return { cluster, ask: askOf(cluster) };
}

test('clients of a deprecated version are told of the best one that is not', async (t) => {
  const { cluster, ask } = await start();
  const versions = ['v1alpha1', 'v1beta1', 'v1beta3', 'v2', 'v3'].map((name) =>
    version(name, {
      storage: name === 'v1beta1',
      served: name !== 'v3',
      deprecated: !['v1beta1', 'v1beta3'].includes(name),
    }),
  );
  await cluster.apply(definition('things', versions));
  const told = async (name: string) =>
    (await ask(`GET /apis/example.com/${name}/namespaces/default/things/x`)).headers.warning;
  t.is(await told('v1alpha1'), '299 - "example.com/v1alpha1 Thing is deprecated; use example.com/v1beta3 Thing"');
  t.is(await told('v1beta1'), undefined);
  t.is(await told('v2'), '299 - "example.com/v2 Thing is deprecated"');
});

test('what a write does not change gets no defaults of its version, but shows those that are stored', async (t) => {
  const { cluster, ask } = await start();
  const schemaOf = (name: string) => {
    const part = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { [name]: { type: 'string', default: 'D' } },
    };
    return { openAPIV3Schema: { type: 'object', properties: { spec: part, status: part } } };
  };
  const versions = [
    version('v1', { schema: schemaOf('shown'), subresources: { status: {} } }),
    version('v2', { schema: schemaOf('kept'), subresources: { status: {} }, storage: true, served: false }),
  ];
  const serve = (all: readonly object[]) => cluster.apply(definition('things', all));
  const path = '/apis/example.com/v1/namespaces/default/things';
  const plain = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await serve([
    { ...versions[0]!, schema: plain },
    { ...versions[1]!, schema: plain },
  ]);
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: {} };
  await ask(`POST ${path}`, thing);
  await serve(versions);
  const { metadata, spec } = (await ask(`GET ${path}/a`)).body;
  t.deepEqual(spec, { kept: 'D' });
  const { body } = await ask(`PUT ${path}/a/status`, { ...thing, metadata, status: {} });
  t.deepEqual([body.spec, body.status], [{ kept: 'D' }, { kept: 'D', shown: 'D' }]);
});

test('defaults of the metadata of embedded objects may have unknown fields, others not', async (t) => {
  const { ask } = await start();
  const object = { type: 'object', properties: { name: { type: 'string' } }, default: { name: 'a', unknown: 'b' } };
  const embedding = (name: string, plural: string) => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { [name]: object } };
    const openAPIV3Schema = { type: 'object', properties: { template: embedded } };
    return definition(plural, [version('v1', { storage: true, schema: { openAPIV3Schema } })], plural);
  };
  t.is((await ask(`POST ${definitions}`, embedding('metadata', 'things'))).status, 201);
  t.regex(
    String((await ask(`POST ${definitions}`, embedding('spec', 'others'))).body.message),
    /must not have unknown/,
  );
});

test('embedded objects have names that paths can have', async (t) => {
  const { cluster, ask } = await start();
  const keep = 'x-kubernetes-preserve-unknown-fields';
  const template = { type: 'object', 'x-kubernetes-embedded-resource': true, [keep]: true };
  const openAPIV3Schema = { type: 'object', properties: { template } };
  await cluster.apply(definition('things', [version('v1', { storage: true, schema: { openAPIV3Schema } })]));
  const post = (name: string) =>
    ask('POST /apis/example.com/v1/namespaces/default/things', {
      ...{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } },
      template: { apiVersion: 'v1', kind: 'Pod', metadata: { name } },
    });
  t.regex(
    String((await post('..')).body.message),
    /template\.metadata\.name: Invalid value: "\.\.": may not be '\.\.'$/,
  );
  t.is((await post('A_b')).status, 201);
  const path = '/apis/example.com/v1/namespaces/default/things/a';
  const { metadata, ...rest } = (await ask(`GET ${path}`)).body as { metadata: object; template: object };
  const renamed = { ...rest.template, metadata: { name: '..' } };
  const { body } = await ask(`PUT ${path}`, {
    ...rest,
    metadata: { ...metadata, labels: { a: 'x y' } },
    template: renamed,
  });
  t.regex(String(body.message), /\[metadata\.labels: .*, template\.metadata\.name: Invalid value: "\.\."/);
});

test('a definition whose webhook trusts what is not a certificate is not served', async (t) => {
  const { ask } = await start();
  const crd = definition('things');
  const put = async (plural: string, pem: string) => {
    const clientConfig = { url: 'https://example.com/', caBundle: Buffer.from(pem).toString('base64') };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    const named = definition(plural, undefined, plural);
    await ask(`POST ${definitions}`, { ...crd, ...named, spec: { ...named.spec, conversion } });
    const { conditions } = (await ask(`GET ${definitions}/${plural}.example.com`)).body.status as Fields;
    return (conditions as readonly Fields[]).find(({ type }) => type === 'Established');
  };
  const wrap = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  const message = 'The conversion webhook CABundle is invalid';
  for (const [index, pem] of ['invalid', wrap('AAAA')].entries())
    t.like(await put(`things${index}`, pem), { status: 'False', reason: 'InvalidCABundle', message });
  t.like(await put('others', ''), { status: 'True' });
  t.like(await put('trusting', createAuthority(Date.now()).certificate), { status: 'True' });
});

test('what objects may be selected by is published', async (t) => {
  const { cluster, ask } = await start();
  const selectableFields = [{ jsonPath: '.spec.a' }];
  await cluster.apply(definition('things', [version('v1', { storage: true, selectableFields })]));
  const { components } = (await ask('GET /openapi/v3/apis/example.com/v1')).body as { components: { schemas: Fields } };
  t.like(components.schemas['com.example.v1.Thing'], { 'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.a' }] });
});

test('definitions in groups of Kubernetes itself say whether they are approved', async (t) => {
  const { ask } = await start();
  const post = (approved: unknown) => {
    const { metadata: _, spec, ...rest } = definition('knots');
    const metadata = { name: 'knots.sigs.k8s.io', annotations: { 'api-approved.kubernetes.io': approved } };
    return ask(`POST ${definitions}`, { ...rest, metadata, spec: { ...spec, group: 'sigs.k8s.io' } });
  };
  for (const bad of ['no', 'http:a', '//host/a', 'https:///a', 'https://a b/']) {
    const { status, body } = await post(bad);
    t.is(status, 422, bad);
    t.true(
      String(body.message).endsWith(
        `metadata.annotations[api-approved.kubernetes.io]: Invalid value: "${bad}": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`,
      ),
    );
  }
  t.is((await post(undefined)).status, 422);
  t.is((await post('https://example.com/1')).status, 201);
  const path = `${definitions}/knots.sigs.k8s.io`;
  const last = async () =>
    ((await ask(`GET ${path}`)).body.status as { conditions: readonly object[] }).conditions.at(2);
  const type = 'KubernetesAPIApprovalPolicyConformant';
  t.like(await last(), {
    type,
    status: 'True',
    reason: 'ApprovedAnnotation',
    message: 'approved in https://example.com/1',
  });
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
  await ask(`PATCH ${path}`, { metadata: { annotations } }, { 'content-type': 'application/merge-patch+json' });
  const message = 'not approved: "unapproved, a test"';
  t.like(await last(), { type, status: 'False', reason: 'UnapprovedAnnotation', message });
});
