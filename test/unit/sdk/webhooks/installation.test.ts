import test from 'ava';
import { Pod } from '../../../../sdk/index.ts';
import { converter, defaulter, spoke, validator } from '../../../../sdk/webhooks/declarations.ts';
import {
  checkInstallation,
  convertedDefinition,
  serviceHosts,
  webhookConfigurations,
  webhookTargets,
} from '../../../../sdk/webhooks/installation.ts';
import { OldSite, Site } from './a-site.ts';

const service = { namespace: 'sites', name: 'sites-webhooks' };
const sites = converter(
  Site,
  spoke(OldSite, {
    toHub: ({ spec: { host } }) => ({ spec: { hosts: [host] } }),
    fromHub: ({ spec: { hosts } }: Site) => ({ spec: { host: hosts[0]! } }),
  }),
);
const webhooks = [
  validator(Site, () => undefined, { failurePolicy: 'Ignore', operations: ['DELETE'], timeoutSeconds: 3 }),
  defaulter(Site, () => undefined),
  validator(Pod, () => undefined, { objectSelector: { matchLabels: { a: 'b' } } }),
  sites,
];

test('configurations have an entry for each webhook, of which each has a name, a path and a rule', (t) => {
  const [validating, mutating, ...others] = webhookConfigurations({ name: 'sites', service, webhooks });
  t.deepEqual(others, []);
  t.like(validating, { kind: 'ValidatingWebhookConfiguration', metadata: { name: 'sites' } });
  t.deepEqual(validating!.webhooks!.length, 2);
  t.deepEqual(validating!.webhooks![0] as object, {
    name: 'validate.sites.example.com',
    admissionReviewVersions: ['v1'],
    clientConfig: { service: { ...service, port: 443, path: '/validate/sites.example.com' } },
    rules: [
      {
        apiGroups: ['example.com'],
        apiVersions: ['v2'],
        resources: ['sites'],
        operations: ['DELETE'],
        scope: 'Namespaced',
      },
    ],
    matchPolicy: 'Equivalent',
    failurePolicy: 'Ignore',
    timeoutSeconds: 3,
    sideEffects: 'None',
  });
  t.like(validating!.webhooks![1], { name: 'validate.pods.core.k8s.io', objectSelector: { matchLabels: { a: 'b' } } });
  t.like(mutating, { kind: 'MutatingWebhookConfiguration', metadata: { name: 'sites' } });
  t.like(mutating!.webhooks![0], {
    name: 'default.sites.example.com',
    failurePolicy: 'Fail',
    reinvocationPolicy: 'IfNeeded',
  });
});

test('a definition of all versions is stored as the hub, and converted by the service', async (t) => {
  const { metadata, spec } = await convertedDefinition(sites, { ...service, port: 8443 });
  t.is(metadata.name, 'sites.example.com');
  t.deepEqual(
    spec.versions.map(({ name, storage, served }) => [name, storage, served]),
    [
      ['v2', true, true],
      ['v1', false, true],
    ],
  );
  const path = '/convert/sites.example.com';
  t.deepEqual(spec.conversion.webhook, {
    clientConfig: { service: { ...service, port: 8443, path } },
    conversionReviewVersions: ['v1'],
  });
  await t.throwsAsync(convertedDefinition(converter(Pod), service), { message: 'pods of v1 has no crd' });
});

test('the CA bundle goes into the configurations and definitions of these webhooks', (t) => {
  t.deepEqual(
    webhookTargets({ name: 'sites', service, webhooks }).map(({ kind, name }) => `${kind.plural} ${name}`),
    [
      'validatingwebhookconfigurations sites',
      'mutatingwebhookconfigurations sites',
      'customresourcedefinitions sites.example.com',
    ],
  );
  t.deepEqual(serviceHosts(service)[0], 'sites-webhooks.sites.svc');
});

test('two webhooks of one type and kind, and none at all, are refused', (t) => {
  t.throws(
    () => checkInstallation({ name: 'a', service, webhooks: [webhooks[0]!, validator(Site, () => undefined)] }),
    {
      message: 'webhooks: two have the path /validate/sites.example.com',
    },
  );
  t.throws(() => checkInstallation({ name: 'a', service, webhooks: [] }), { instanceOf: TypeError });
});
