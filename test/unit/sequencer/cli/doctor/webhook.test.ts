import test, { type ExecutionContext } from 'ava';
import { type Client, Workspace } from '../../../../../sdk/index.ts';
import { createWebhooks, ownCertificates, validator } from '../../../../../sdk/webhooks/index.ts';
import { admitWorkspace } from '../../../../../sequencer/admission/admit-workspace.ts';
import { ConfigurationKind } from '../../../../../sequencer/cli/doctor/webhook-configuration.ts';
import { webhookConfiguration } from '../../../../../sequencer/cli/manifests/webhooks.ts';
import { webhookNames } from '../../../../../sequencer/run/operator-instance.ts';
import { until } from '../../../../system/real/until.ts';
import { calledHere } from '../../../../system/stories/webhooks/webhook-servers.ts';
import { aWebhookTarget } from './a-webhook-target.ts';

async function aTarget(t: ExecutionContext, policy: 'Fail' | 'Ignore' = 'Fail') {
  const target = await aWebhookTarget(t);
  const made = webhookConfiguration({ operatorNamespace: 'default' }, policy);
  return { ...target, install: (port: number) => target.apply(calledHere(made, port)) };
}

/** Serves the webhook until it is stopped, or the test ends. */
async function served(t: ExecutionContext, client: Client) {
  const { configuration: name, service, secret } = webhookNames({}, 'default');
  const stopping = new AbortController();
  const server = createWebhooks({
    ...{ name, service, port: 0, host: '127.0.0.1' },
    certificates: ownCertificates({ client, secret, hosts: ['127.0.0.1'] }),
    webhooks: [validator(Workspace, (workspace, context) => admitWorkspace(workspace, context, []))],
  });
  const running = server.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  t.teardown(stop);
  return { port: await server.listening, stop };
}

test('without a configuration nothing is wrong, unless the operator serves one', async (t) => {
  const { found } = await aTarget(t);
  t.is(await found(), 'ok: none is installed');
  t.is(await found({ isServed: true }), 'problem: the operator serves it, and there is no sequencer-webhooks.default');
});

test('a configuration without a CA bundle is reported', async (t) => {
  const { install, found } = await aTarget(t, 'Ignore');
  await install(1);
  t.is(
    await found(),
    'problem: sequencer-webhooks.default (failurePolicy Ignore) has no caBundle yet: no replica has written it',
  );
});

test('a CA bundle that is not a certificate is reported', async (t) => {
  const { install, client, found } = await aTarget(t);
  await install(1);
  const [configuration] = (await client.list(ConfigurationKind)).items;
  const pem = '-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n';
  const webhooks = configuration!.webhooks!.map((webhook) => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, caBundle: Buffer.from(pem).toString('base64') },
  }));
  await client.patch(ConfigurationKind, configuration!.metadata, { type: 'merge', value: { webhooks } });
  t.regex(await found(), /^problem: .* has a caBundle without a certificate that is valid today$/);
});

for (const [policy, stopped] of [
  ['Fail', /^problem: sequencer-webhooks\.default \(failurePolicy Fail\): .*failed calling webhook/],
  [
    'Ignore',
    /^problem: .*\(failurePolicy Ignore\): the API server gets no response from it: workspaces are admitted without validation$/,
  ],
] as const)
  test(`${policy}: the API server has it judge a workspace, which is not stored: it answers, or it does not`, async (t) => {
    const { client, install, found } = await aTarget(t, policy);
    const { port, stop } = await served(t, client);
    await install(port);
    const isOk = async () => (await found()).startsWith('ok: ') || undefined;
    await until(isOk, { message: (error) => `does not answer within a minute (${error})` });
    t.is(await found(), `ok: answers the API server, failurePolicy ${policy}`);
    const later = Date.now() + 10 * 365 * 86_400_000;
    t.regex(await found({ now: later }), /has a caBundle without a certificate that is valid today$/);
    t.regex(await found({ isOperator: true }), /^unknown: .*excludes the requests of this account$/);
    await stop();
    t.regex(await found(), stopped);
    t.deepEqual((await client.list(Workspace)).items, []);
  });
