/** Configs, types and Secrets of tests. */

import * as z from 'zod';
import {
  type ClusterIntegrationConfig,
  configFinalizer,
  type IntegrationConfig,
  integrationTypeLabel,
} from '../../../../sdk/host/index.ts';
import { defineIntegration, type Integration, type Secret } from '../../../../sdk/index.ts';
import { defineTenantIntegration } from '../../../../sequencer/index.ts';

/** A config of team-a as read from a server. */
export const aConfig = (
  spec: Partial<IntegrationConfig['spec']> = {},
  metadata: Partial<IntegrationConfig['metadata']> = {},
): IntegrationConfig => ({
  apiVersion: 'se.quencer.io/v1alpha1',
  kind: 'IntegrationConfig',
  metadata: {
    namespace: 'team-a',
    name: 'dns',
    uid: 'uid-1',
    generation: 1,
    finalizers: [configFinalizer],
    ...metadata,
  },
  spec: { type: 'acme', ...spec },
});

/** A cluster-wide config as read from a server. */
export const aClusterConfig = (
  spec: Partial<ClusterIntegrationConfig['spec']> = {},
  metadata: Partial<ClusterIntegrationConfig['metadata']> = {},
): ClusterIntegrationConfig => ({
  apiVersion: 'se.quencer.io/v1alpha1',
  kind: 'ClusterIntegrationConfig',
  metadata: { name: 'shared', uid: 'uid-2', generation: 1, finalizers: [configFinalizer], ...metadata },
  spec: { type: 'acme', allowedNamespaces: ['team-a'], ...spec },
});

/** A Secret of team-a that is open to type `acme`. */
export const aSecret = (
  data: Readonly<Record<string, string | Uint8Array>>,
  metadata: Partial<Secret['metadata']> = {},
): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: 'team-a',
    name: 'dns',
    uid: 'uid-3',
    resourceVersion: '1',
    labels: { [integrationTypeLabel]: 'acme' },
    ...metadata,
  },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

/** The integration of type `acme`, unless overridden. */
export const acme = (more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name: 'acme',
    condition: 'DNS',
    handles: () => true,
    connect: () => ({ reconcile: async () => undefined, terminate: async () => undefined }),
    ...more,
  });

/** A type with a port as an option and a token as its credential. */
export const acmeType = defineTenantIntegration({
  condition: 'DNS',
  handles: ({ spec }) => spec.networking?.dns !== undefined,
  options: z.strictObject({ port: z.coerce.number().int().min(1).default(53) }),
  secrets: ['token'],
  create: (_, { token }) => acme({ secrets: [token] }),
});
