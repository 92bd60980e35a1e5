/** Schema of the kind Workspace. */

import * as z from 'zod';
import { conditionStatuses } from './condition.ts';

const listMap = (...keys: readonly string[]) => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const name = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const port = z.int().min(1).max(65535).meta({ format: 'int32' });
const generation = z.int().meta({ format: 'int64' });
const time = z.string().meta({ format: 'date-time' });
const anything = z.looseObject({});
/** Open object with a bounded number of members; the reader of the members validates them. */
const atMost = (maxProperties: number) => z.looseObject({}).meta({ maxProperties });
const references = z.array(anything);
/** Atomic map: `managedFields` has one entry for it instead of one for each leaf. */
const ownedWhole = { 'x-kubernetes-map-type': 'atomic' };

const rule = z.object({
  name,
  subdomain: z.string().max(253).optional(),
  path: z
    .string()
    .max(1024)
    .regex(/^\/.*$/)
    .default('/'),
  component: name.describe('The component that answers.'),
  network: name.describe('The network of that component.'),
});

const networking = z.object({
  dns: z
    .object({ zone: z.string().min(1).max(253).describe('The zone that records are kept in, such as example.com.') })
    .optional(),
  tunnel: atMost(32).describe('One sub-tree per vendor; each integration brings its own schema.').optional(),
  ingress: z
    .object({
      rules: z.array(rule).max(64).meta(listMap('name')),
      className: z.string().max(253).default('nginx'),
      loadBalancerRef: z.object({ name, namespace: name.optional() }).optional(),
    })
    .optional(),
});

const component = z.object({
  name,
  networks: z
    .array(z.object({ name, port, targetPort: port, protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP') }))
    .max(32)
    .meta(listMap('name'))
    .optional(),
  template: atMost(64).describe(
    'A PodSpec. ${components::NAME.networks.NETWORK} stands for host:port of another component, ${outputs::CONDITION.NAME} for what an integration has learned.',
  ),
  dependsOn: z
    .array(
      z.object({
        componentName: name,
        conditionType: z.string().max(316).default('Ready').describe('A condition type of the other component’s pod.'),
        conditionStatus: z.enum(['True', 'False', 'Unknown']).default('True'),
      }),
    )
    .max(64)
    .meta({ 'x-kubernetes-list-type': 'atomic' })
    .optional(),
});

const condition = z.object({
  type: z.string().min(1).max(316),
  status: z.enum(conditionStatuses),
  reason: z.string().min(1).max(1024),
  observedGeneration: generation.optional(),
  lastTransitionTime: time,
});

const guard = z
  .object({
    phase: z
      .enum(['none', 'intent', 'done', 'failed', 'unknown', 'gone'])
      .describe('none: nothing was begun yet, as was known for certain before the claim.'),
    op: z.enum(['create', 'update', 'delete', 'task']),
    key: z.string().max(253).describe('The stable key of this operation: the same for every attempt.'),
    token: z.int().meta({ format: 'int64' }).describe('Rises with every attempt and take-over; fences.'),
    attempt: z.int().meta({ format: 'int64' }).optional(),
    holder: z.string().max(253).describe('The process run, and a nonce of this very attempt.'),
    since: time.describe('When the intent was written, by the holder’s clock. For people.').optional(),
    began: time.describe('When the first attempt of this operation was written, by its holder’s clock.').optional(),
    leaseSeconds: z.int().meta({ format: 'int32' }).optional(),
    beat: z.int().meta({ format: 'int64' }).optional(),
    ambiguous: z.boolean().describe('An attempt ended without a known outcome.').optional(),
    unresolved: z
      .boolean()
      .describe(
        'An attempt at this operation came to no known end, or carried out a part of it, and none has succeeded since.',
      )
      .optional(),
    lost: z.boolean().describe('Written because the entry under our finalizer was missing.').optional(),
    input: anything.describe('What a re-issue must repeat. Never a secret.').optional(),
    refs: references.describe('Ids the provider gave us. Never secrets.').optional(),
    late: references.describe('Ids that a fenced holder still learned.').optional(),
    dropped: z
      .object({ mirrored: z.int().meta({ format: 'int64' }), refs: references })
      .describe(
        'Ids that are gone, and that the mirror of this token still names: the server refused to have it written.',
      )
      .optional(),
    previous: z.string().max(64).describe('The status that Locked interrupted.').optional(),
    generation: generation.optional(),
    mirrored: z
      .int()
      .meta({ format: 'int64' })
      .describe('The token of the mirror when this was written: a mirror with a lower one was put back.')
      .optional(),
    claim: z.string().max(316).describe('The finalizer of the integration that wrote this.').optional(),
    formerly: z
      .array(z.string().max(253))
      .max(8)
      .describe('Earlier uids of the workspace, before it was restored from a backup.')
      .optional(),
    cause: z.string().max(1024).optional(),
    format: z
      .int()
      .meta({ format: 'int64' })
      .describe('The format of this entry; absent: 1. An operator leaves alone what is newer than it can read.')
      .optional(),
  })
  .describe('The journal of one condition’s changes of the outside world.');

const outputs = z
  .object({
    values: z
      .record(z.string(), z.string().max(1024))
      .meta({ maxProperties: 256 })
      .describe('By name, thing/name where each of several things has one. Never secrets.')
      .optional(),
    secrets: z
      .record(z.string(), z.object({ name: z.string().max(253), key: z.string().max(253) }))
      .meta({ maxProperties: 256 })
      .describe('Keys of Secrets in the namespace of the workspace, by name.')
      .optional(),
  })
  .describe('What the integration of one condition has learned, for templates and other integrations.');

/** Choice of a config, by name or by labels. */
const configChoice = z
  .object({
    kind: z.enum(['IntegrationConfig', 'ClusterIntegrationConfig']).optional(),
    name: z.string().min(1).max(253).optional(),
    matchLabels: z.record(z.string(), z.string().max(63)).meta({ maxProperties: 8 }).optional(),
  })
  .meta({
    'x-kubernetes-validations': [
      {
        rule: 'has(self.name) != has(self.matchLabels)',
        message: 'pick a config by exactly one of name and matchLabels',
      },
    ],
  });

/** Transition rule of `spec.className`: a sequencer of another class does not know the external objects of the workspace. */
const sameClass = {
  rule: 'has(self.className) == has(oldSelf.className) && (!has(self.className) || self.className == oldSelf.className)',
  message: 'className cannot be changed: delete the workspace, and create it with the other class once it is gone',
};

/**
 * Zod schema of a Workspace: the single source of its TypeScript types and of its CRD. The spec, written by tenants, is bounded.
 * The status, written by the operator alone, is not bounded more tightly than in earlier releases, so that stored statuses stay valid after an
 * upgrade.
 */
export const workspaceSchema = z.object({
  spec: z
    .object({
      className: name
        .describe('The sequencers that walk it: those with this --class; without a name those without one. Immutable.')
        .optional(),
      networking: networking.optional(),
      components: z.array(component).max(128).meta(listMap('name')).optional(),
      integrations: atMost(64)
        .describe('One sub-tree per integration, by its name; each brings its own schema.')
        .optional(),
      integrationConfigs: z
        .record(z.string(), configChoice)
        .meta({ maxProperties: 16 })
        .describe('The configs to use, by integration type, where they are not the default ones of the namespace.')
        .optional(),
    })
    .meta({ 'x-kubernetes-validations': [sameClass] }),
  status: z
    .object({
      phase: z.enum(['Deploying', 'Healthy', 'Error', 'Terminating']).optional(),
      observedGeneration: generation.optional(),
      waitsFor: z.string().max(4096).describe('The conditions that are not through yet.').optional(),
      host: z.string().max(253).optional(),
      dns: z
        .array(
          z.object({
            recordType: z.string().max(16),
            name: z.string().max(253),
            target: z.string().max(1024),
            properties: z.record(z.string(), z.string()).optional(),
          }),
        )
        .meta({ 'x-kubernetes-list-type': 'atomic' })
        .optional(),
      routes: z
        .array(
          z.object({
            host: z.string().max(253),
            path: z.string().max(1024),
            service: z.string().max(63).describe('A Service in the namespace of the workspace.'),
            port,
          }),
        )
        .max(128)
        .meta({ 'x-kubernetes-list-type': 'atomic' })
        .describe('Paths that integrations ask for at hosts of the ingress rules, beside those of the rules.')
        .optional(),
      tunnel: z
        .object({ remoteId: z.string().optional(), meta: z.record(z.string(), z.string()).optional() })
        .optional(),
      ingress: z.looseObject({}).optional(),
      conditions: z.array(condition).meta(listMap('type')).optional(),
      outputs: z.record(z.string(), outputs).meta(ownedWhole).optional(),
      guards: z.record(z.string(), guard).meta(ownedWhole).optional(),
    })
    .optional(),
});
