import test from 'ava';
import type { WorkspaceSpec } from '../../../../sdk/index.ts';
import {
  type ChoiceInput,
  configChoices,
  keepsConfig,
  mayUse,
  unknownTypes,
} from '../../../../sequencer/tenants/config-choice.ts';
import { type AnyConfig, configIntegrationName } from '../../../../sequencer/tenants/config-integration-name.ts';
import { aWorkspace, type WorkspaceFixture } from '../../a-workspace.ts';
import { aClusterConfig, aConfig, acmeType } from './fixtures/a-config.ts';

const dns = { networking: { dns: { zone: 'example.com' } } };
type Pick = NonNullable<WorkspaceSpec['integrationConfigs']>[string];

/** Chooses for a workspace of team-a that asks for DNS. */
function choose(
  { own = [], clusterWide = [], ...more }: Partial<ChoiceInput>,
  { pick, ...fixture }: WorkspaceFixture & { readonly pick?: Pick } = {},
) {
  const spec = { ...dns, ...(pick && { integrationConfigs: { acme: pick } }) };
  const made = aWorkspace({ spec, ...fixture });
  const workspace = { ...made, metadata: { ...made.metadata, namespace: 'team-a' } };
  const byName = (name: string) =>
    [...(own as readonly AnyConfig[]), ...clusterWide].find((config) => configIntegrationName(config) === name);
  return configChoices(workspace, {
    types: { acme: acmeType },
    own,
    clusterWide,
    byName,
    isServed: () => false,
    ...more,
  });
}

/** The name or problem of each choice. */
const told = (...args: Parameters<typeof choose>) =>
  choose(...args).choices.map(({ config, problem }) => problem ?? config?.metadata.name);
const claimed = (config: AnyConfig) => [`se.quencer.io/${configIntegrationName(config)}`];
const recorded = (config: AnyConfig) => ({
  finalizers: claimed(config),
  guards: { DNS: { phase: 'done' as const, claim: claimed(config)[0]! } },
});

test('a workspace gets what it picks by name or labels, whatever else is the default', (t) => {
  const [a, b] = [aConfig({ default: true }, { name: 'a' }), aConfig({}, { name: 'b', labels: { tier: 'gold' } })];
  const input = { own: [a, b], clusterWide: [aClusterConfig({ default: true })] };
  t.deepEqual(told(input, { pick: { name: 'b' } }), ['b']);
  t.deepEqual(told(input, { pick: { matchLabels: { tier: 'gold' } } }), ['b']);
  t.deepEqual(told(input, { pick: { kind: 'ClusterIntegrationConfig', name: 'shared' } }), ['shared']);
  t.deepEqual(told(input, { spec: {} }), [], 'one that asks for nothing gets nothing');
});

test('a pick that comes to none, or to several, is reported by name', (t) => {
  const twins = ['a', 'b', 'c'].map((name) => aConfig({}, { name, labels: { tier: 'gold' } }));
  const input = {
    own: [...twins, aConfig({ type: 'other' }, { name: 'other' })],
    clusterWide: [aClusterConfig({ allowedNamespaces: ['team-b'] })],
  };
  t.deepEqual(told(input, { pick: { name: 'nope' } }), ['IntegrationConfig team-a/nope does not exist']);
  t.deepEqual(told(input, { pick: { name: 'other' } }), ['IntegrationConfig team-a/other is of type other, not acme']);
  t.deepEqual(told(input, { pick: { matchLabels: { tier: 'gold' } } }), [
    'IntegrationConfig team-a/a and IntegrationConfig team-a/b and 1 more all have the labels tier=gold: pick one by name',
  ]);
  t.deepEqual(told(input, { pick: { matchLabels: { tier: 'tin' } } }), [
    'no IntegrationConfig of type acme has the labels tier=tin',
  ]);
  t.deepEqual(told(input, { pick: { kind: 'ClusterIntegrationConfig', name: 'shared' } }), [
    'ClusterIntegrationConfig shared does not exist, or does not allow namespace team-a',
  ]);
});

test('without a pick, the default of the namespace comes before a cluster-wide one', (t) => {
  const [own, wide] = [aConfig({ default: true }), aClusterConfig({ default: true })];
  t.deepEqual(told({ own: [own], clusterWide: [wide] }), ['dns']);
  t.deepEqual(told({ own: [aConfig()], clusterWide: [wide] }), ['shared']);
  t.deepEqual(told({ clusterWide: [aClusterConfig({ default: true, allowedNamespaces: ['*'] })] }), ['shared']);
  const second = aConfig({ default: true }, { name: 'second' });
  t.deepEqual(told({ own: [own, second], clusterWide: [wide] }), [
    'IntegrationConfig team-a/dns and IntegrationConfig team-a/second are both the default: pick one in spec.integrationConfigs',
  ]);
  t.regex(
    told({ clusterWide: [aClusterConfig({ default: true, allowedNamespaces: [] })] })[0]!,
    /^no IntegrationConfig of type acme is the default here/,
  );
  t.deepEqual(told({ isServed: () => true }), [], 'an integration of the config file does it');
});

test('what a workspace has stays with its config when another one becomes the default', (t) => {
  const [former, next] = [aConfig({}, { name: 'former' }), aConfig({ default: true }, { name: 'next' })];
  t.deepEqual(told({ own: [former, next] }, { finalizers: claimed(former) }), ['former']);
  t.deepEqual(told({ own: [former, next] }, recorded(former)), ['former']);
  t.deepEqual(
    told({ own: [former, next] }, { ...recorded(former), finalizers: [] }),
    ['former'],
    'also without its claim',
  );
  t.deepEqual(told({ own: [former, next] }, { ...recorded(former), pick: { name: 'next' } }), ['next']);
});

test('a config that is being deleted serves what is under it to the end, and nothing new', (t) => {
  const deleting = aConfig({ default: true }, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  t.deepEqual(told({ own: [deleting] }, recorded(deleting)), ['dns']);
  t.deepEqual(told({ own: [deleting] }, { ...recorded(deleting), pick: { name: 'dns' } }), ['dns']);
  t.deepEqual(told({ own: [deleting] }, { pick: { name: 'dns' } }), [
    'IntegrationConfig team-a/dns is being deleted: pick another one',
  ]);
  t.deepEqual(told({ own: [deleting] }, { finalizers: claimed(deleting), pick: { name: 'dns' } }), [
    'IntegrationConfig team-a/dns is being deleted: pick another one',
  ]);
  const { bound } = choose({ own: [deleting] }, { finalizers: claimed(deleting) });
  t.false(keepsConfig(aWorkspace({ finalizers: claimed(deleting) }), bound[0]!), 'a claim alone is given up');
});

test('one that does not allow the namespace any more is reported, and what is there is kept', (t) => {
  const wide = aClusterConfig({ default: true, allowedNamespaces: [] });
  const { choices } = choose({ clusterWide: [wide] }, recorded(wide));
  t.like(choices, [{ config: wide, problem: 'ClusterIntegrationConfig shared no longer allows namespace team-a' }]);
});

test('a claim whose config is gone is bound to none; claims of others are none of ours', (t) => {
  const lost = aConfig({}, { name: 'lost' });
  const { bound, choices } = choose(
    {},
    { finalizers: [...claimed(lost), 'se.quencer.io/acme', 'example.com/acme.x.y'] },
  );
  t.deepEqual(bound, [{ integration: configIntegrationName(lost), type: 'acme', condition: 'DNS' }]);
  t.deepEqual(choices, [], 'nothing new is begun before it is settled');
});

test('a config of another namespace is never used, nor one of a namespace that is not allowed', (t) => {
  const workspace = aWorkspace();
  t.false(mayUse(aConfig({}, { namespace: 'team-b' }), workspace));
  t.true(mayUse(aConfig({}, { namespace: 'default' }), workspace));
  t.false(mayUse(aClusterConfig({ allowedNamespaces: ['team-a', 'default*'] }), workspace));
  t.true(mayUse(aClusterConfig({ allowedNamespaces: ['*'] }), workspace));
});

test('a failing handles of a type is reported, and picks of types that are not opened too', (t) => {
  const broken = {
    ...acmeType,
    handles: () => {
      throw new Error('oops');
    },
  };
  t.deepEqual(told({ types: { acme: broken } }), ['handles of integration type acme fails: oops']);
  t.deepEqual(unknownTypes(aWorkspace({ spec: { integrationConfigs: { acne: { name: 'a' } } } }), { acme: acmeType }), [
    'spec.integrationConfigs.acne: the operator opens no such integration type',
  ]);
});
