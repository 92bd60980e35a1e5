import test from 'ava';
import {
  ClusterIntegrationConfig,
  clusterIntegrationConfigFromSchema,
  IntegrationConfig,
  integrationConfigFromSchema,
} from '../../../../sdk/api/integration-config.ts';

test('the definitions that are carried along are what the schemas say; if not: npm run generate', async (t) => {
  for (const [carried, made] of [
    [IntegrationConfig, integrationConfigFromSchema],
    [ClusterIntegrationConfig, clusterIntegrationConfigFromSchema],
  ] as const)
    t.deepEqual(await carried.crd?.(), JSON.parse(JSON.stringify(await made.crd?.())));
});

test('kubectl shows type, default and readiness with its reason', async (t) => {
  const { spec } = (await IntegrationConfig.crd?.())!;
  t.like(spec, { scope: 'Namespaced', names: { plural: 'integrationconfigs' } });
  t.deepEqual(
    spec.versions[0]?.additionalPrinterColumns?.map(({ name }) => name),
    ['Type', 'Default', 'Ready', 'Reason', 'Message', 'Age'],
  );
  t.is((await ClusterIntegrationConfig.crd?.())?.spec.scope, 'Cluster');
});
