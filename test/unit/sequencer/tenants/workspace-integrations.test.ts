import test from 'ava';
import { type Secret, SecretRegistry, systemClock } from '../../../../sdk/index.ts';
import type { ChoiceInput } from '../../../../sequencer/tenants/config-choice.ts';
import { configIntegrationName } from '../../../../sequencer/tenants/config-integration-name.ts';
import { Connections } from '../../../../sequencer/tenants/connections.ts';
import { workspaceIntegrations } from '../../../../sequencer/tenants/workspace-integrations.ts';
import { aWorkspace, type WorkspaceFixture } from '../../a-workspace.ts';
import { aConfig, acmeType, aSecret } from './fixtures/a-config.ts';

const secretRefs = { token: { name: 'dns', key: 'token' } };
const [mine, other] = ['mine', 'other'].map((name) => aConfig({ secretRefs }, { name, namespace: 'default' })) as [
  ReturnType<typeof aConfig>,
  ReturnType<typeof aConfig>,
];
const types = { acme: acmeType };

/** Returns name, request and problem of each integration of a workspace that picks that config. */
function told(
  pick: string,
  fixture: WorkspaceFixture = {},
  secret: Secret | undefined = aSecret({ token: 'token-one' }),
) {
  const own = [mine, other];
  const byName = (name: string) => own.find((config) => configIntegrationName(config) === name);
  const input: ChoiceInput = { types, own, clusterWide: [], byName, isServed: () => false };
  const connections = new Connections({
    types,
    secretOf: () => secret,
    secrets: new SecretRegistry(),
    clock: systemClock,
  });
  const spec = { networking: { dns: { zone: 'example.com' } }, integrationConfigs: { acme: { name: pick } } };
  const workspace = aWorkspace({ spec, ...fixture });
  const host = { connections, hold: undefined as never };
  return workspaceIntegrations(workspace, input, host).map((one) => [
    one.name.split('.').slice(0, 2).join('.'),
    one.handles(workspace),
    one.behind.problem?.replace(/:.*/, ''),
  ]);
}

const finalizers = [`se.quencer.io/${configIntegrationName(mine)}`];

test('the config that is picked is asked for, and the one that was is left', (t) => {
  t.deepEqual(told('mine'), [['acme.mine', true, undefined]]);
  t.deepEqual(told('other', { finalizers }), [
    ['acme.other', true, undefined],
    ['acme.mine', false, undefined],
  ]);
});

test('a pick in error is reported by what is there, or by the type where nothing is', (t) => {
  t.deepEqual(told('none'), [['acme.none', false, 'IntegrationConfig default/none does not exist']]);
  t.deepEqual(told('none', { finalizers }), [['acme.mine', false, 'IntegrationConfig default/none does not exist']]);
});

test('a config without its Secret is reported, and a claim of none that is known', (t) => {
  const lost = ['se.quencer.io/acme.lost.0123456789ab'];
  t.deepEqual(told('mine', {}, aSecret({ other: 'a' })), [
    ['acme.mine', false, 'IntegrationConfig default/mine cannot be used'],
  ]);
  t.deepEqual(told('mine', { finalizers: lost }), [
    ['acme.mine', true, undefined],
    ['acme.lost', false, undefined],
  ]);
});

test('a condition that nothing is behind any more can be forgotten', (t) => {
  const conditions = { DNS: 'Terminated' } as const;
  t.deepEqual(told('mine', { spec: {}, conditions }), [['acme.none', false, undefined]]);
  t.deepEqual(told('mine', { spec: {} }), []);
});
