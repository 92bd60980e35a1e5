import test from 'ava';
import { webhookConfiguration } from '../../../../../sequencer/cli/manifests/webhooks.ts';
import { acmeType } from '../../tenants/fixtures/a-config.ts';

test('the webhook is asked about new workspaces of the class and changed specs, by others than the operator', (t) => {
  const options = { operatorNamespace: 'ops', className: 'blue', namespace: 'team-a' };
  const configuration = webhookConfiguration(options, 'Ignore');
  t.like(configuration, {
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'sequencer-blue-webhooks.ops' },
  });
  const { webhooks } = configuration as unknown as { webhooks: { matchConditions: { expression: string }[] }[] };
  t.like(webhooks[0], {
    name: 'validate.workspaces.se.quencer.io',
    failurePolicy: 'Ignore',
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'team-a' } },
    clientConfig: { service: { namespace: 'ops', name: 'sequencer-blue', port: 443 } },
  });
  t.deepEqual(
    webhooks[0]!.matchConditions.map(({ expression }) => expression),
    [
      "request.userInfo.username != 'system:serviceaccount:ops:sequencer-blue'",
      '!has(object.metadata.deletionTimestamp)',
      "has(object.spec) && has(object.spec.className) && object.spec.className == 'blue'",
      'oldObject == null || !has(oldObject.spec) || !has(object.spec) || object.spec != oldObject.spec',
    ],
  );
});

test('configs of tenants are asked about where types are opened, cluster-wide ones unless it is one namespace', (t) => {
  const namesWith = (options: object) => {
    const { webhooks } = webhookConfiguration({ operatorNamespace: 'ops', ...options }, 'Fail') as unknown as {
      webhooks: { name: string; matchConditions: object[] }[];
    };
    t.true(webhooks.every(({ matchConditions }) => matchConditions.length === 4));
    return webhooks.map(({ name }) => name);
  };
  const tenantIntegrations = { acme: acmeType };
  const [workspaces, own] = ['validate.workspaces.se.quencer.io', 'validate.integrationconfigs.se.quencer.io'];
  t.deepEqual(namesWith({}), [workspaces]);
  t.deepEqual(namesWith({ tenantIntegrations }), [workspaces, own, 'validate.clusterintegrationconfigs.se.quencer.io']);
  t.deepEqual(namesWith({ tenantIntegrations, namespace: 'team-a' }), [workspaces, own]);
});
