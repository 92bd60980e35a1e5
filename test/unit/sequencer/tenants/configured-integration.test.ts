import { inspect } from 'node:util';
import test from 'ava';
import { configFinalizer, IntegrationConfig } from '../../../../sdk/host/index.ts';
import {
  claimOf,
  createClient,
  createController,
  createProviderHost,
  ensureCrds,
  errorOf,
  type ProviderController,
  SecretRegistry,
  systemClock,
  Workspace,
} from '../../../../sdk/index.ts';
import { addConfigFinalizer } from '../../../../sequencer/tenants/config-finalizer.ts';
import {
  type AnyConfig,
  configIntegrationName,
  configKindOf,
} from '../../../../sequencer/tenants/config-integration-name.ts';
import {
  type ConfigUse,
  configBehind,
  configuredIntegration,
  hostFor,
  lostIntegration,
  settingsReaderOf,
  withoutSecrets,
} from '../../../../sequencer/tenants/configured-integration.ts';
import { Connections } from '../../../../sequencer/tenants/connections.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { aConfig, acme, acmeType, aSecret } from './fixtures/a-config.ts';

const secretRefs = { token: { name: 'dns', key: 'token' } };

/** A server with one config, the integration of that, and a count of its calls. */
async function setUp() {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig]);
  const calls: string[] = [];
  const reconcile = async () => void calls.push('reconcile');
  const terminate = async () => void calls.push('terminate');
  const create = (_: unknown, { token }: { readonly token?: string }) =>
    acme({ secrets: [token ?? ''], connect: () => ({ reconcile, terminate }) });
  const tenant = { ...acmeType, create };
  const secretOf = () => aSecret({ token: 'token-one' });
  const registry = { secretOf, secrets: new SecretRegistry(), clock: systemClock };
  const connections = new Connections({ ...registry, types: { acme: tenant } });
  const config = await client.create(IntegrationConfig, {
    metadata: { namespace: 'default', name: 'dns' },
    spec: { type: 'acme', secretRefs },
  });
  const workspace = await client.create(Workspace, { metadata: { namespace: 'default', name: 'shop' }, spec: {} });
  const host = createProviderHost({ client, clock: systemClock, holder: 'one', events: { event: () => undefined } });
  const integrationOf = (use: Partial<ConfigUse> = {}) =>
    configuredIntegration(
      { connections, hold: (held) => addConfigFinalizer(client, configKindOf(held), held) },
      { tenant, config, isChosen: true, ...use },
    );
  const connected = async (of: Workspace = workspace, use: Partial<ConfigUse> = {}) => {
    const integration = integrationOf(use);
    const scope = { type: 'DNS', claim: claimOf(integration.name), terminating: false, policy: 'manage' as const };
    const controller: ProviderController = createController(host, of, scope as never);
    return integration.connect({ workspace: of, controller });
  };
  const key = { namespace: 'default', name: 'dns' };
  return { cluster, client, calls, config, workspace, connected, integrationOf, key, host };
}

test('before anything is begun a config is held by a finalizer; one that is going or gone is not begun with', async (t) => {
  const { cluster, client, calls, config, connected, key } = await setUp();
  t.teardown(() => cluster.close());
  await (await connected()).reconcile(undefined);
  t.deepEqual((await client.get(IntegrationConfig, key)).metadata.finalizers, [configFinalizer]);
  t.deepEqual(calls, ['reconcile']);
  await client.delete(IntegrationConfig, key);
  const stale = await connected(undefined, { config });
  await t.throwsAsync(async () => stale.reconcile(undefined), {
    message: /IntegrationConfig default\/dns is being deleted/,
  });
  await client.patch(IntegrationConfig, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await t.throwsAsync(async () => stale.reconcile(undefined), { message: /is being deleted: pick another one/ });
  await client.create(IntegrationConfig, { metadata: key, spec: { type: 'acme', secretRefs } });
  await t.throwsAsync(
    async () => stale.reconcile(undefined),
    { message: /is being deleted/ },
    'another of its name is another one',
  );
  t.deepEqual(calls, ['reconcile'], 'nothing is called');
  await stale.terminate();
  t.deepEqual(calls, ['reconcile', 'terminate'], 'what may be there is still removed');
});

test('what is under a config that is being deleted is kept up and removed with it', async (t) => {
  const { cluster, client, calls, config, workspace, connected, key } = await setUp();
  t.teardown(() => cluster.close());
  await (await connected()).reconcile(undefined);
  await client.delete(IntegrationConfig, key);
  const claim = claimOf(configIntegrationName(config));
  const guards = { DNS: { phase: 'done', op: 'create', key: 'a', token: 1, holder: 'one', claim } } as const;
  const begun = { ...workspace, status: { guards } };
  const provider = await connected(begun, { config: await client.get(IntegrationConfig, key) });
  await provider.reconcile(undefined);
  t.deepEqual(calls, ['reconcile', 'reconcile']);
});

test('under a policy that forbids changes the config is not held', async (t) => {
  const { cluster, client, workspace, connected, key } = await setUp();
  t.teardown(() => cluster.close());
  const annotations = { 'se.quencer.io/policy': 'plan' };
  await (await connected({ ...workspace, metadata: { ...workspace.metadata, annotations } })).reconcile(undefined);
  t.is((await client.get(IntegrationConfig, key)).metadata.finalizers, undefined);
});

test('a config of a namespace that is not allowed any more serves only what was begun', async (t) => {
  const { cluster, workspace, connected } = await setUp();
  t.teardown(() => cluster.close());
  const foreign: AnyConfig = aConfig({ secretRefs }, { namespace: 'team-b' });
  await t.throwsAsync(connected(workspace, { config: foreign }), { message: /does not allow namespace default/ });
});

test('a problem is reported instead of asking the integration, and one that is not chosen is only left', async (t) => {
  const { cluster, workspace, integrationOf } = await setUp();
  t.teardown(() => cluster.close());
  t.is(configBehind(integrationOf({ problem: 'no' }))?.problem, 'no');
  t.false(integrationOf({ isChosen: false }).handles(workspace));
  t.is(configBehind(integrationOf({ isChosen: false, problem: 'no' }))?.problem, undefined);
  const broken = integrationOf({ config: aConfig({ secretRefs: {} }) });
  t.regex(configBehind(broken)?.problem ?? '', /^IntegrationConfig team-a\/dns cannot be used: .*token: is missing/);
  t.throws(() => broken.connect({} as never), { message: /cannot be used/ });
  const lost = lostIntegration({ integration: 'acme.dns.1', type: 'acme', condition: 'DNS' });
  t.throws(() => lost.connect({} as never), {
    message: /se\.quencer\.io\/acme\.dns\.1.*create it again.*policy\.se\.quencer\.io\/DNS=orphan/,
  });
});

test('credentials of a config are redacted in what is told of it, in errors and their causes, and for nothing else', async (t) => {
  const { cluster, integrationOf, host } = await setUp();
  t.teardown(() => cluster.close());
  const integration = integrationOf();
  const told: string[] = [];
  const events = { event: (...[, , , message]: readonly unknown[]) => void told.push(String(message)) };
  hostFor({ ...host, events } as never, integration).events.event(aWorkspace(), 'Normal', 'A', 'a token-one b');
  t.deepEqual(told, ['a *** b']);
  t.is(host.secrets.redact('token-one'), 'token-one');
  t.is(hostFor(host, acme()), host);

  const error = new Error('outer token-one', { cause: new Error('inner token-one') });
  const shown = errorOf(withoutSecrets(error, integration));
  t.is(shown, error, 'the same error, so that it means the same');
  t.notRegex(
    `${shown.message} ${shown.stack} ${errorOf(shown.cause).message} ${errorOf(shown.cause).stack}`,
    /token-one/,
  );
  const timeout = new DOMException('token-one', 'TimeoutError');
  t.is(withoutSecrets(timeout, integration), timeout);
  t.notRegex(`${timeout.message} ${timeout.stack}`, /token-one/, 'its message has no setter');
  const members = { detail: 'for token-one', response: { body: ['token-one'] }, code: 7, socket: new Map() };
  const failure = withoutSecrets(
    Object.assign(new AggregateError([new Error('token-one')], 'all'), members),
    integration,
  );
  t.like(failure, { detail: 'for ***', response: { body: ['***'] }, code: 7, message: 'all' });
  t.notRegex(inspect(failure), /token-one/);
  t.is(errorOf(withoutSecrets(Object.freeze(new Error('token-one')), integration)).message, '***');
});

test('users write settings under the name of the type', async (t) => {
  const { cluster, integrationOf } = await setUp();
  t.teardown(() => cluster.close());
  t.regex(integrationOf().name, /^acme\.dns\./);
  t.is(settingsReaderOf(integrationOf()).name, 'acme');
});
