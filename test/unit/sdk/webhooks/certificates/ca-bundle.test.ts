import test from 'ava';
import { CustomResourceDefinitionKind } from '../../../../../sdk/index.ts';
import { bundleApply } from '../../../../../sdk/webhooks/certificates/ca-bundle.ts';
import { configurationKinds } from '../../../../../sdk/webhooks/installation.ts';

const given = { bundle: 'PEM', hosts: ['sites.default.svc', '127.0.0.1'] };
const caBundle = Buffer.from('PEM').toString('base64');
const target = { kind: configurationKinds.validate, name: 'sites' };
const metadata = { name: 'sites', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } };
const aConfiguration = (webhooks: readonly object[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata,
  webhooks,
});

test('the bundle goes to the webhooks that are called at our hosts, and to no others', (t) => {
  const webhooks = [
    { name: 'a', clientConfig: { service: { name: 'sites', namespace: 'default' } }, rules: [] },
    { name: 'b', clientConfig: { service: { name: 'sites', namespace: 'elsewhere' } } },
    { name: 'c', clientConfig: { url: 'https://127.0.0.1:1/x' } },
    { name: 'd', clientConfig: { url: 'no url' } },
    { name: 'e', clientConfig: {} },
  ];
  t.deepEqual(bundleApply(target, aConfiguration(webhooks), given), {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'sites', uid: 'u1', resourceVersion: '7' },
    webhooks: [
      { name: 'a', clientConfig: { caBundle } },
      { name: 'c', clientConfig: { caBundle } },
    ],
  });
});

test('nothing is applied where all have it, or none is ours', (t) => {
  const service = { name: 'sites', namespace: 'default' };
  t.is(bundleApply(target, aConfiguration([{ name: 'a', clientConfig: { service, caBundle } }]), given), undefined);
  t.is(bundleApply(target, aConfiguration([]), given), undefined);
  t.is(bundleApply(target, { ...aConfiguration([]), webhooks: undefined } as never, given), undefined);
});

test('of a definition nothing but the bundle of its conversion is applied', (t) => {
  const definition = { kind: CustomResourceDefinitionKind, name: 'sites.example.com' };
  const object = (spec: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec,
  });
  const clientConfig = { service: { name: 'sites', namespace: 'default' } };
  const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
  t.like(bundleApply(definition, object({ conversion: { strategy: 'Webhook', webhook } }), given), {
    spec: { conversion: { webhook: { clientConfig: { caBundle } } } },
  });
  t.is(bundleApply(definition, object({ conversion: { strategy: 'None' } }), given), undefined);
  t.is(bundleApply(definition, object({}), given), undefined);
});
