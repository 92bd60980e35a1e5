/** Schemas of the kinds IntegrationConfig and ClusterIntegrationConfig. */

import * as z from 'zod';

const name = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const objectName = z.string().min(1).max(253);
const member = z.string().max(63);

/** Transition rule that keeps the options of a config, so that objects are deleted with the options that created them. */
const immutable = (field: string) => ({
  rule: `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`,
  message: `${field} cannot be changed: create another config, and have workspaces pick that`,
});

const shape = {
  type: name.describe('The integration type, as the operator’s config file opens it under `tenantIntegrations`.'),
  className: name
    .describe('The sequencers that read it: those with this --class; without a name those without one. Immutable.')
    .optional(),
  default: z
    .boolean()
    .describe('Workspaces that pick none, and have nothing under another one yet, use it.')
    .optional(),
  options: z
    .record(member, z.string().max(1024))
    .meta({ maxProperties: 32 })
    .describe(
      'Options by which what was made is found again, checked by the schema of the type; never secrets. Immutable, as the parameters of a StorageClass.',
    )
    .optional(),
  mutableOptions: z
    .record(member, z.string().max(1024))
    .meta({ maxProperties: 32 })
    .describe(
      'Options that may be changed, checked by the schema of the type; never secrets. A change is carried out on what is there, as those of a VolumeAttributesClass.',
    )
    .optional(),
  secretRefs: z
    .record(member, z.object({ name: objectName, key: objectName }))
    .meta({ maxProperties: 16 })
    .describe('Keys of Secrets with the label se.quencer.io/integration-type, by the name of the credential.')
    .optional(),
};

const status = z
  .object({
    conditions: z
      .array(
        z.object({
          type: z.string().max(316),
          status: z.enum(['True', 'False', 'Unknown']),
          reason: z.string().max(1024),
          message: z.string().max(32_768),
          observedGeneration: z.int().meta({ format: 'int64' }).optional(),
          lastTransitionTime: z.string().meta({ format: 'date-time' }),
        }),
      )
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
      .optional(),
    claim: z.string().max(316).describe('The finalizer of workspaces that have something under it.').optional(),
  })
  .optional();

const rules = { 'x-kubernetes-validations': ['type', 'className', 'options'].map(immutable) };

/** Zod schema of an IntegrationConfig: the single source of its TypeScript types and of its CRD. */
export const integrationConfigSchema = z.object({ spec: z.object(shape).meta(rules), status });

/** Zod schema of a ClusterIntegrationConfig. */
export const clusterIntegrationConfigSchema = z.object({
  spec: z
    .object({
      ...shape,
      allowedNamespaces: z
        .array(z.string().max(63))
        .max(1024)
        .meta({ 'x-kubernetes-list-type': 'set' })
        .describe('Namespaces whose workspaces may use it; `*`: all.'),
    })
    .meta(rules),
  status,
});
