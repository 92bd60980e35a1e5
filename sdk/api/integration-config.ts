/** The kinds `IntegrationConfig` and `ClusterIntegrationConfig`: one configured integration, with its credentials in Secrets. */

import type { output } from 'zod';
import type { clusterIntegrationConfigSchema, integrationConfigSchema } from './integration-config-schema.ts';
import { type CustomResourceDefinition, defineKind, type Kind, type KindOptions } from './kind.ts';
import type { Frozen, KubeObject } from './object.ts';
import { group } from './workspace.ts';

type ConfigShape = Frozen<output<typeof integrationConfigSchema>>;
type ClusterConfigShape = Frozen<output<typeof clusterIntegrationConfigSchema>>;

/** One configured integration, for workspaces of its namespace. */
export interface IntegrationConfig extends KubeObject {
  readonly spec: ConfigShape['spec'];
  readonly status?: NonNullable<ConfigShape['status']>;
}

/** One configured integration, for workspaces of the namespaces that it allows. */
export interface ClusterIntegrationConfig extends KubeObject {
  readonly spec: ClusterConfigShape['spec'];
  readonly status?: NonNullable<ClusterConfigShape['status']>;
}

/** Label of Secrets that configs may refer to: the integration type that may use them. */
export const integrationTypeLabel = `${group}/integration-type`;

/** Finalizer of configs that workspaces have external objects of. */
export const configFinalizer = `${group}/in-use`;

const shared: Pick<KindOptions, 'group' | 'version' | 'categories' | 'columns'> = {
  group,
  version: 'v1alpha1',
  categories: ['quencer'],
  columns: [
    { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    { name: 'Default', type: 'boolean', jsonPath: '.spec.default' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].message', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
};

/** `IntegrationConfig` with its CRD generated from the schema; `npm run generate` stores the result. */
export const integrationConfigFromSchema = defineKind<IntegrationConfig>({
  ...shared,
  kind: 'IntegrationConfig',
  schema: async () => (await import('./integration-config-schema.ts')).integrationConfigSchema,
});

/** `ClusterIntegrationConfig` with its CRD generated from the schema; `npm run generate` stores the result. */
export const clusterIntegrationConfigFromSchema = defineKind<ClusterIntegrationConfig>({
  ...shared,
  kind: 'ClusterIntegrationConfig',
  namespaced: false,
  schema: async () => (await import('./integration-config-schema.ts')).clusterIntegrationConfigSchema,
});

/** The kind `IntegrationConfig`, `se.quencer.io/v1alpha1`. */
export const IntegrationConfig: Kind<IntegrationConfig> = {
  ...integrationConfigFromSchema,
  crd: async () =>
    (await import('./integration-config-crd.json', { with: { type: 'json' } }))
      .default as unknown as CustomResourceDefinition,
};

/** The kind `ClusterIntegrationConfig`, `se.quencer.io/v1alpha1`. */
export const ClusterIntegrationConfig: Kind<ClusterIntegrationConfig> = {
  ...clusterIntegrationConfigFromSchema,
  crd: async () =>
    (await import('./cluster-integration-config-crd.json', { with: { type: 'json' } }))
      .default as unknown as CustomResourceDefinition,
};
