import test from 'ava';
import { IntegrationConfig } from '../../../../../sdk/host/index.ts';
import { Namespace, Service, Workspace } from '../../../../../sdk/index.ts';
import { webhookConfiguration } from '../../../../../sequencer/cli/manifests/webhooks.ts';
import type { ApiRequest } from '../../../../cluster/index.ts';
import { refusing } from '../../../a-target-cluster.ts';
import { aWebhookTarget } from './a-webhook-target.ts';

type Entry = Readonly<Record<string, unknown>> & { readonly matchConditions: readonly { readonly name: string }[] };

/** Returns the configuration of this release with each of its webhooks changed. */
function changed(change: (webhook: Entry) => object, name?: string): object {
  const made = webhookConfiguration({ operatorNamespace: 'default' }, 'Fail') as unknown as {
    metadata: object;
    webhooks: Entry[];
  };
  return { ...made, metadata: name === undefined ? made.metadata : { name }, webhooks: made.webhooks.map(change) };
}

const without = (condition: string) => (webhook: Entry) => ({
  ...webhook,
  matchConditions: webhook.matchConditions.filter(({ name }) => name !== condition),
});
const inClass = (webhook: Entry) => ({
  ...webhook,
  matchConditions: webhook.matchConditions.map((one) =>
    one.name === 'class' ? { ...one, expression: "object.spec.className == 'blue'" } : one,
  ),
});
const workspaces = 'validate.workspaces.se.quencer.io';

for (const [what, configuration, difference] of [
  ['an earlier release, without classes', changed(without('class')), `${workspaces} has no matchCondition class`],
  ['another class', changed(inClass), `matchCondition class of ${workspaces} differs`],
  [
    'an earlier version of the kind',
    changed((webhook) => ({
      ...webhook,
      rules: (webhook.rules as object[]).map((rule) => ({ ...rule, apiVersions: ['v1alpha0'] })),
    })),
    `the rules of ${workspaces} differ`,
  ],
  [
    'another name of the webhook',
    changed((webhook) => ({ ...webhook, name: 'workspaces.se.quencer.io' })),
    `there is no ${workspaces}; workspaces.se.quencer.io is not served`,
  ],
  [
    'another path',
    changed((webhook) => ({
      ...webhook,
      clientConfig: { service: { namespace: 'default', name: 'sequencer', path: '/old', port: 443 } },
    })),
    `${workspaces} calls default/sequencer:443/old`,
  ],
] as const)
  test(`a configuration of ${what} is reported by what differs, before it is tried`, async (t) => {
    const { apply, found } = await aWebhookTarget(t);
    await apply(configuration);
    t.is(
      await found(),
      `problem: sequencer-webhooks.default (failurePolicy Fail) is not what this release installs: ${difference}`,
    );
  });

test('a type that was opened to tenants after the installation is reported; what was added to a webhook is no difference', async (t) => {
  const { apply, found } = await aWebhookTarget(t);
  await apply(
    changed((webhook) => ({
      ...webhook,
      timeoutSeconds: 3,
      matchConditions: [...webhook.matchConditions, { name: 'mine', expression: 'true' }],
    })),
  );
  t.regex(await found(), /has no caBundle yet/);
  t.regex(
    await found({ kinds: [Workspace, IntegrationConfig] }),
    /: there is no validate\.integrationconfigs\.se\.quencer\.io$/,
  );
});

test('configurations that an earlier release, or an operator that is gone, has left are reported beside it', async (t) => {
  const { apply, all, client } = await aWebhookTarget(t);
  await apply(changed((webhook) => webhook, 'sequencer-webhooks'));
  const left = (webhook: Entry) => ({
    ...inClass(webhook),
    clientConfig: { service: { namespace: 'elsewhere', name: 'sequencer-blue', port: 443 } },
  });
  await apply(changed(left, 'sequencer-blue-webhooks.elsewhere'));
  await apply(
    changed(
      (webhook) => ({
        ...webhook,
        rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], operations: ['CREATE'] }],
      }),
      'of-others',
    ),
  );
  const gone =
    'problem: sequencer-blue-webhooks.elsewhere (failurePolicy Fail) calls the Service elsewhere/sequencer-blue, which is not there';
  t.deepEqual(await all(), [
    'ok: none is installed',
    gone,
    'problem: sequencer-webhooks (failurePolicy Fail) calls the Service default/sequencer of this operator too',
  ]);
  await client.create(Namespace, { metadata: { name: 'elsewhere' } });
  await client.create(Service, {
    metadata: { namespace: 'elsewhere', name: 'sequencer-blue' },
    spec: { ports: [{ port: 443 }] },
  });
  t.false((await all()).includes(gone), 'another class has its own');
});

test('a pod of the operator, which may read its own configuration alone, looks for no others', async (t) => {
  const { apply, all } = await aWebhookTarget(t);
  await apply(changed((webhook) => webhook, 'sequencer-webhooks'));
  t.deepEqual(await all({ isOperator: true }), ['ok: none is installed']);
});

test('without the right to list configurations, the rest is said', async (t) => {
  const { all, cluster } = await aWebhookTarget(t);
  const isList = ({ method, url }: ApiRequest) => method === 'GET' && /validatingwebhookconfigurations(\?|$)/.test(url);
  refusing({ cluster }, isList, { code: 403, reason: 'Forbidden', message: 'no' });
  t.deepEqual(await all(), ['ok: none is installed', 'unknown: other configurations were not checked: no']);
});
