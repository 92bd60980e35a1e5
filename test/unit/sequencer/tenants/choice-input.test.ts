import test from 'ava';
import { choiceInputOf } from '../../../../sequencer/tenants/choice-input.ts';
import { configIntegrationName } from '../../../../sequencer/tenants/config-integration-name.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { aClusterConfig, aConfig, acme, acmeType } from './fixtures/a-config.ts';

const team = { namespace: 'team-a', name: 'shop' };
const shop = { ...aWorkspace(), metadata: { ...aWorkspace().metadata, ...team } };
const own = [aConfig(), aConfig({ className: 'blue' }, { name: 'blue' })];
const other = aConfig({}, { namespace: 'team-b' });
const wide = aClusterConfig();
const all = [...own, other, wide];
const configs = {
  ownOf: (namespace: string) => own.filter(({ metadata }) => metadata.namespace === namespace),
  clusterWide: () => [wide],
  named: (integration: string) => all.filter((one) => configIntegrationName(one) === integration),
};
const types = { acme: acmeType };

test('a workspace is given the configs of its namespace and the cluster-wide ones, of its class alone', (t) => {
  const input = choiceInputOf(shop, configs, { types, integrations: [], className: undefined });
  t.deepEqual([input.own, input.clusterWide], [[own[0]], [wide]]);
  const blue = choiceInputOf(shop, configs, { types, integrations: [], className: 'blue' });
  t.deepEqual([blue.own, blue.clusterWide], [[own[1]], []]);
});

test('by its claim a config is found in reach of the workspace only', (t) => {
  const { byName } = choiceInputOf(shop, configs, { types, integrations: [], className: undefined });
  t.is(byName(configIntegrationName(own[0]!)), own[0]);
  t.is(byName(configIntegrationName(wide)), wide);
  t.is(byName(configIntegrationName(own[1]!)), undefined, 'of another class');
  t.is(byName(configIntegrationName(other)), undefined, 'of another namespace');
});

test('a condition of the config file counts as served, also where its handles fails', (t) => {
  const failing = acme({
    name: 'other',
    condition: 'Other',
    handles() {
      throw new Error('no');
    },
  });
  const integrations = [acme(), failing, acme({ name: 'idle', condition: 'Idle', handles: () => false })];
  const { isServed } = choiceInputOf(shop, configs, { types, integrations, className: undefined });
  t.deepEqual(['DNS', 'Other', 'Idle', 'None'].map(isServed), [true, true, false, false]);
});
