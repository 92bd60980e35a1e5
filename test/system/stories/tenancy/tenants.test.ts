import test from 'ava';
import { ClusterIntegrationConfig, configFinalizer, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { ensureCrds, InvalidError, Namespace, Secret, Workspace } from '../../../../sdk/index.ts';
import { eventually, startSequencer } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';
import { dnsAccounts, putClusterConfig, putConfig, putToken, putWorkspace } from './a-tenant.ts';
import { configSays, dnsSays, gone, readyOf } from './tenant-says.ts';

for (const { name, client, close } of await startClientsUnderTest()) {
  test.before(`${name} serves the kinds`, async () => {
    await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
    for (const namespace of ['team-a', 'team-b', 'picks', 'life', 'all', 'tuned', 'shared', 'hostile'])
      await client.create(Namespace, { metadata: { name: namespace } });
  });
  test.after.always(`${name} stops`, close);

  test.serial(
    `${name}: each tenant's names are in its own account, and a config in use outlives its deletion`,
    async (t) => {
      const { types, namesIn } = dnsAccounts('token-of-a', 'token-of-b');
      const running = await startSequencer(client, [], { tenantIntegrations: types });
      for (const [namespace, token] of [
        ['team-a', 'token-of-a'],
        ['team-b', 'token-of-b'],
      ] as const) {
        await putToken(client, { namespace, name: 'dns' }, token);
        await putConfig(client, { namespace, name: 'dns' }, { default: true });
        await putWorkspace(client, { namespace, name: 'shop' });
      }
      const key = { namespace: 'team-a', name: 'shop' };
      await dnsSays(client, key, 'Completed');
      await dnsSays(client, { ...key, namespace: 'team-b' }, 'Completed');
      t.deepEqual(namesIn('token-of-a'), ['shop.team-a.example.com']);
      t.deepEqual(namesIn('token-of-b'), ['shop.team-b.example.com']);

      const config = { namespace: 'team-a', name: 'dns' };
      const { metadata } = await client.get(IntegrationConfig, config);
      t.deepEqual(metadata.finalizers, [configFinalizer]);
      const options = { spec: { options: { target: '192.0.2.9' } } };
      await t.throwsAsync(client.patch(IntegrationConfig, config, { type: 'merge', value: options }), {
        instanceOf: InvalidError,
        message: /options cannot be changed/,
      });
      await client.delete(IntegrationConfig, config);
      await configSays(client, config, 'InUse', /workspaces team-a\/shop:/);
      await client.delete(Workspace, key);
      await gone(client, Workspace, key);
      t.deepEqual(namesIn('token-of-a'), [], 'removed with the credential that it was made with');
      await gone(client, IntegrationConfig, config);
      t.deepEqual(namesIn('token-of-b'), ['shop.team-b.example.com'], 'the other tenant is not touched');
      await client.delete(Workspace, { ...key, namespace: 'team-b' });
      await gone(client, Workspace, { ...key, namespace: 'team-b' });
      await running.stop();
    },
  );

  test.serial(`${name}: Secret, config and workspace may be deleted at once, as with their namespace`, async (t) => {
    const { types, namesIn } = dnsAccounts('token-of-all');
    const running = await startSequencer(client, [], { tenantIntegrations: types });
    const namespace = 'all';
    const [key, config] = [
      { namespace, name: 'shop' },
      { namespace, name: 'dns' },
    ];
    await putToken(client, config, 'token-of-all');
    await putConfig(client, config, { default: true });
    await putWorkspace(client, key);
    await dnsSays(client, key, 'Completed');
    await client.delete(Secret, config);
    await client.delete(IntegrationConfig, config);
    await client.delete(Workspace, key);
    await gone(client, Workspace, key);
    await gone(client, IntegrationConfig, config);
    t.deepEqual(namesIn('token-of-all'), [], 'removed with the credential that it was made with');
    await running.stop();
  });

  test.serial(`${name}: another pick is a change of hands, and a wrong one changes nothing`, async (t) => {
    const { types, namesIn } = dnsAccounts('token-old', 'token-new');
    const running = await startSequencer(client, [], { tenantIntegrations: types });
    const namespace = 'picks';
    for (const which of ['old', 'new']) {
      await putToken(client, { namespace, name: which }, `token-${which}`);
      await putConfig(client, { namespace, name: which, labels: { tier: which } });
    }
    const key = { namespace, name: 'shop' };
    await putWorkspace(client, key, { name: 'olt' });
    await dnsSays(client, key, 'Error', /^IntegrationConfig picks\/olt does not exist$/);
    const pick = (value: object) =>
      client.patch(Workspace, key, { type: 'merge', value: { spec: { integrationConfigs: { 'memory-dns': value } } } });
    await pick({ name: 'old' });
    await dnsSays(client, key, 'Completed');
    t.deepEqual(namesIn('token-old'), ['shop.picks.example.com']);

    await pick({ name: 'missing' });
    await dnsSays(client, key, 'Error', /^IntegrationConfig picks\/missing does not exist$/);
    t.deepEqual(namesIn('token-old'), ['shop.picks.example.com'], 'what is there stays');
    await putConfig(client, { namespace, name: 'twin', labels: { tier: 'new' } });
    await pick({ name: null, matchLabels: { tier: 'new' } });
    await dnsSays(
      client,
      key,
      'Error',
      /IntegrationConfig picks\/new and IntegrationConfig picks\/twin all have the labels tier=new/,
    );
    t.deepEqual(namesIn('token-old'), ['shop.picks.example.com']);

    await client.delete(IntegrationConfig, { namespace, name: 'twin' });
    await eventually('the names are in the other account', async () => namesIn('token-new').length === 1 || undefined);
    await dnsSays(client, key, 'Completed');
    t.deepEqual([namesIn('token-old'), namesIn('token-new')], [[], ['shop.picks.example.com']]);
    const { metadata } = await client.get(Workspace, key);
    t.is(metadata.finalizers?.length, 1, 'the former claim is given up');

    await t.throwsAsync(pick({ name: 'old' }), {
      instanceOf: InvalidError,
      message: /exactly one of name and matchLabels/,
    });
    await client.delete(Workspace, key);
    await gone(client, Workspace, key);
    t.deepEqual(namesIn('token-new'), []);
    await running.stop();
  });

  test.serial(`${name}: mutable options are changed in place, without a change of hands or a restart`, async (t) => {
    const { types, namesIn, changesIn } = dnsAccounts('token-tuned');
    const running = await startSequencer(client, [], { tenantIntegrations: types });
    const [key, config] = [
      { namespace: 'tuned', name: 'shop' },
      { namespace: 'tuned', name: 'dns' },
    ];
    await putToken(client, config, 'token-tuned');
    await putConfig(client, config, { default: true, mutableOptions: { target: '192.0.2.7' } });
    await putWorkspace(client, key);
    await dnsSays(client, key, 'Completed');
    const { metadata } = await client.get(Workspace, key);
    const tune = (mutableOptions: object | null) =>
      client.patch(IntegrationConfig, config, { type: 'merge', value: { spec: { mutableOptions } } });
    await tune({ target: '192.0.2.8' });
    const carriedOut = ['192.0.2.7', '192.0.2.8'].map((target) => `shop.tuned.example.com ${target}`);
    await eventually('the record is changed', async () => changesIn('token-tuned').length > 1 || undefined);
    t.deepEqual(changesIn('token-tuned'), carriedOut, 'by one change, not by removing it first');
    t.deepEqual((await client.get(Workspace, key)).metadata.finalizers, metadata.finalizers);

    await tune({ target: 'nowhere' });
    await configSays(client, config, 'OptionsInvalid', /spec\.mutableOptions\.target/);
    await dnsSays(client, key, 'Error', /cannot be used: spec\.mutableOptions\.target/);
    t.deepEqual(changesIn('token-tuned'), carriedOut, 'nothing is changed meanwhile');
    await tune(null);
    await dnsSays(client, key, 'Completed');
    await client.delete(Workspace, key);
    await gone(client, Workspace, key);
    t.deepEqual(namesIn('token-tuned'), []);
    await running.stop();
  });

  test.serial(
    `${name}: a Secret that is missing, wrong, rotated or away is reported, and comes into use without a restart`,
    async (t) => {
      const { types, namesIn, closed } = dnsAccounts('token-right', 'token-later');
      const running = await startSequencer(client, [], { tenantIntegrations: types });
      const namespace = 'life';
      const [key, config] = [
        { namespace, name: 'shop' },
        { namespace, name: 'dns' },
      ];
      await putConfig(client, config, { default: true });
      await configSays(client, config, 'SecretMissing', /Secret dns does not exist/);
      await putWorkspace(client, key);
      await dnsSays(client, key, 'Error', /IntegrationConfig life\/dns cannot be used: .*Secret dns does not exist/);

      await putToken(client, config, 'token-wrong');
      const refused = await dnsSays(client, key, 'Error', /401 for/);
      t.regex(refused, /401 for \*\*\*/, 'no condition holds the credential');
      t.notRegex(JSON.stringify(await client.get(Workspace, key)), /token-wrong/);
      await putToken(client, config, 'token-right');
      await dnsSays(client, key, 'Completed');
      await configSays(client, config, 'Configured');
      t.true(closed.includes('token-wrong'), 'the former connection is closed');

      await client.delete(Secret, config);
      await configSays(client, config, 'SecretMissing');
      await client.delete(Workspace, key);
      await dnsSays(client, key, 'Error', /cannot be used: .*Secret dns does not exist/);
      t.deepEqual(namesIn('token-right'), ['shop.life.example.com'], 'nothing is forgotten meanwhile');
      await putToken(client, config, 'token-right');
      await gone(client, Workspace, key);
      t.deepEqual(namesIn('token-right'), []);
      await running.stop();
    },
  );

  test.serial(
    `${name}: a cluster-wide config serves the namespaces that it allows, and one that is gone is reported`,
    async (t) => {
      const { types, namesIn } = dnsAccounts('token-shared', 'token-own');
      const running = await startSequencer(client, [], { tenantIntegrations: types });
      await putToken(client, { namespace: 'default', name: 'everyone' }, 'token-shared');
      await putClusterConfig(client, 'everyone', { allowedNamespaces: ['shared'], default: true });
      const [inside, outside] = [
        { namespace: 'shared', name: 'shop' },
        { namespace: 'hostile', name: 'shop' },
      ];
      await putWorkspace(client, inside);
      await putWorkspace(client, outside, { kind: 'ClusterIntegrationConfig', name: 'everyone' });
      await dnsSays(client, inside, 'Completed');
      await dnsSays(client, outside, 'Error', /does not exist, or does not allow namespace hostile$/);
      t.deepEqual(namesIn('token-shared'), ['shop.shared.example.com']);

      await client.patch(
        ClusterIntegrationConfig,
        { name: 'everyone' },
        { type: 'merge', value: { spec: { allowedNamespaces: [] } } },
      );
      await dnsSays(client, inside, 'Error', /no longer allows namespace shared/);
      t.deepEqual(namesIn('token-shared'), ['shop.shared.example.com'], 'nothing is changed');
      await client.delete(ClusterIntegrationConfig, { name: 'everyone' });
      await eventually('it is held', async () => {
        const ready = readyOf(await client.get(ClusterIntegrationConfig, { name: 'everyone' }));
        return ready?.reason === 'InUse' || undefined;
      });
      // An administrator who takes the finalizer away by force learns what is left, and how to fix it.
      await client.patch(
        ClusterIntegrationConfig,
        { name: 'everyone' },
        { type: 'merge', value: { metadata: { finalizers: null } } },
      );
      await client.delete(Workspace, inside);
      await dnsSays(
        client,
        inside,
        'Error',
        /integration config of type memory-dns was deleted.* create it again with the same name, type and options/,
      );
      await putClusterConfig(client, 'everyone', { allowedNamespaces: [], default: true });
      await gone(client, Workspace, inside);
      t.deepEqual(namesIn('token-shared'), []);
      await client.delete(Workspace, outside);
      await gone(client, Workspace, outside);
      await running.stop();
    },
  );
}
