import test from 'ava';
import { ConfigMap, defineIntegration, Pod, secretsRule } from '../../../../../sdk/index.ts';
import { accessOf, definitionRule } from '../../../../../sequencer/run/preflight/access.ts';

const connect = () => ({ reconcile: async () => undefined, terminate: async () => undefined });
const one = defineIntegration({ name: 'one', condition: 'One', handles: () => true, connect });

test('an operator that makes nothing in the cluster may read and mark workspaces and write events, no more', (t) => {
  const access = accessOf({ integrations: [one], leaderElection: false });
  t.deepEqual(
    access.map(({ rule, where }) => `${where}: ${rule.verbs.join(' ')} ${rule.resources.join(' ')}`),
    [
      'workspaces: get list watch patch workspaces',
      'workspaces: patch workspaces/status',
      'workspaces: create patch events',
      'workspaces: get namespaces',
      'operator: create secrets',
      'operator: get secrets',
    ],
  );
});

test('what an integration owns it follows, and may change unless it says what it does', (t) => {
  const owner = defineIntegration({ ...one, owns: [Pod] });
  const careful = defineIntegration({
    ...one,
    name: 'two',
    condition: 'Two',
    owns: [ConfigMap],
    permissions: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }, secretsRule],
  });
  const access = accessOf({ integrations: [owner, careful], leaderElection: false }).filter(
    ({ by }) => by !== 'the sequencer',
  );
  t.deepEqual(
    access.map(({ by, rule }) => `${by}: ${rule.verbs.join(' ')} ${rule.resources.join(' ')}`),
    [
      'one (One): list watch get create patch delete pods',
      'two (Two): list watch create configmaps',
      'two (Two): get create patch secrets',
    ],
  );
});

test('the seal needs one Secret and a leader election one Lease, by their names, in the operator’s namespace', (t) => {
  const own = accessOf({ integrations: [], leaderElection: true }).filter(({ where }) => where === 'operator');
  t.deepEqual(
    own.map(({ rule }) => [rule.verbs, rule.resourceNames]),
    [
      [['create'], undefined],
      [['get'], ['sequencer-seal']],
      [['create'], undefined],
      [['get', 'update', 'watch'], ['sequencer']],
    ],
  );
});

test('what a runnable of the config needs is asked for in its name', (t) => {
  const permissions = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
  const runnable = { name: 'previews', permissions, create: () => ({ name: 'previews', run: async () => {} }) };
  const access = accessOf({ integrations: [], runnables: [runnable], leaderElection: false });
  t.deepEqual(
    access.filter(({ by }) => by === 'previews'),
    [{ rule: permissions[0]!, where: 'workspaces', by: 'previews' }],
  );
});

test('the page needs to ask who its users are and what they may list, in no namespace', (t) => {
  const access = accessOf({ integrations: [], leaderElection: false, page: true, namespace: 'team-a' });
  t.deepEqual(
    access.filter(({ by }) => by === 'the page').map(({ rule, where }) => `${where}: ${rule.verbs} ${rule.resources}`),
    ['workspaces: watch events', 'cluster: create tokenreviews', 'cluster: create subjectaccessreviews'],
  );
});

test('shards need the Leases of the operator’s namespace, and to see who assigns where they walk all namespaces', (t) => {
  const rules = (namespace?: string) =>
    accessOf({ integrations: [], leaderElection: false, ring: 'blue', namespace })
      .filter(({ rule }) => /leases|controllerrings/.test(`${rule.resources}`))
      .map(({ rule, where }) => `${where}: ${rule.verbs.join(' ')} ${rule.resources} ${rule.resourceNames ?? ''}`);
  const leases = 'operator: get list watch create update delete leases ';
  t.deepEqual(rules(), ['cluster: get controllerrings blue', leases]);
  t.deepEqual(rules('team-a'), [leases]);
});

test('the webhook needs the Secret with its certificates, and its configuration, by name', (t) => {
  const access = accessOf({ integrations: [], leaderElection: false, webhooks: true, operatorNamespace: 'ops' });
  t.deepEqual(
    access
      .filter(({ by }) => by === 'the webhook')
      .map(({ rule, where }) => `${where}: ${rule.verbs} ${rule.resources} ${rule.resourceNames ?? ''}`),
    [
      'operator: list,watch,update secrets sequencer-webhooks',
      'cluster: list,watch,patch validatingwebhookconfigurations sequencer-webhooks.ops',
    ],
  );
});

test('the right on definitions names those of configs where a type is opened', (t) => {
  const acme = { condition: 'DNS', handles: () => true, create: () => one };
  const names = (opened: object) => definitionRule(opened).resourceNames;
  t.deepEqual(names({}), ['workspaces.se.quencer.io']);
  t.deepEqual(names({ tenantIntegrations: { acme } }), [
    'workspaces.se.quencer.io',
    'integrationconfigs.se.quencer.io',
    'clusterintegrationconfigs.se.quencer.io',
  ]);
});
