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
  type: name.describe('Integration type: a key of `tenantIntegrations` in the config file of the operator. Immutable.'),
  className: name
    .describe(
      'Class of the operator that uses the config: its --class. Default: the operator without a class. Immutable.',
    )
    .optional(),
  default: z
    .boolean()
    .describe(
      'True for the default config of its type: workspaces use it that name no config and have no external objects of another one. Default: false.',
    )
    .optional(),
  options: z
    .record(member, z.string().max(1024))
    .meta({ maxProperties: 32 })
    .describe(
      'Options that identify the external objects, such as the server, validated by the schema of the type. Never contains secrets. Immutable, as the parameters of a StorageClass.',
    )
    .optional(),
  mutableOptions: z
    .record(member, z.string().max(1024))
    .meta({ maxProperties: 32 })
    .describe(
      'Options that may be changed, validated by the schema of the type. Never contains secrets. A change is applied to existing external objects.',
    )
    .optional(),
  secretRefs: z
    .record(
      member,
      z.object({
        name: objectName.describe('Name of the Secret.'),
        key: objectName.describe('Key in the data of the Secret.'),
      }),
    )
    .meta({ maxProperties: 16 })
    .describe(
      'References to keys of Secrets, by the name of the credential. A Secret needs the label se.quencer.io/integration-type with the type as its value. It is in the namespace of the config; for a ClusterIntegrationConfig in the one of the operator.',
    )
    .optional(),
};

const status = z
  .object({
    conditions: z
      .array(
        z.object({
          type: z.string().max(316).describe('Type of the condition: Ready.'),
          status: z.enum(['True', 'False', 'Unknown']).describe('True when workspaces can use the config.'),
          reason: z
            .string()
            .max(1024)
            .describe('Reason for the status in one word, such as Configured or OptionsInvalid.'),
          message: z.string().max(32_768).describe('Explanation of the reason, for people.'),
          observedGeneration: z
            .int()
            .meta({ format: 'int64' })
            .describe('metadata.generation of the config that the condition was computed from.')
            .optional(),
          lastTransitionTime: z
            .string()
            .meta({ format: 'date-time' })
            .describe('Time at which the status last changed.'),
        }),
      )
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
      .describe('Conditions of the config: Ready.')
      .optional(),
    claim: z
      .string()
      .max(316)
      .describe('Finalizer of the workspaces that have external objects of this config.')
      .optional(),
  })
  .describe('Observed state. Written by the operator.')
  .optional();

const rules = { 'x-kubernetes-validations': ['type', 'className', 'options'].map(immutable) };

const specText = 'Configured integration of one type. Written by tenants or administrators.';

/** Zod schema of an IntegrationConfig: the single source of its TypeScript types and of its CRD. */
export const integrationConfigSchema = z.object({ spec: z.object(shape).meta(rules).describe(specText), status });

/** Zod schema of a ClusterIntegrationConfig. */
export const clusterIntegrationConfigSchema = z.object({
  spec: z
    .object({
      ...shape,
      allowedNamespaces: z
        .array(z.string().max(63))
        .max(1024)
        .meta({ 'x-kubernetes-list-type': 'set' })
        .describe('Namespaces whose workspaces may use the config; `*`: all.'),
    })
    .meta(rules)
    .describe(specText),
  status,
});
