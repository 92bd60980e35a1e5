/** Schema of the kind Workspace. */

import * as z from 'zod';
import { workspaceStatusSchema } from './workspace-status-schema.ts';

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
/** Open object with a bounded number of members; the reader of the members validates them. */
const atMost = (maxProperties: number) => z.looseObject({}).meta({ maxProperties });

const rule = z.object({
  name: name.describe('Name of the rule, unique in the list.'),
  subdomain: z
    .string()
    .max(253)
    .describe('Host of the rule, relative to spec.networking.dns.zone. Default: the name of the workspace.')
    .optional(),
  path: z
    .string()
    .max(1024)
    .regex(/^\/.*$/)
    .describe('Path prefix of the requests.')
    .default('/'),
  component: name.describe('Name of the component that receives the requests.'),
  network: name.describe('Name of the network of that component, which gives the port.'),
});

const networking = z
  .object({
    dns: z
      .object({
        zone: z.string().min(1).max(253).describe('DNS zone in which the records are published, such as example.com.'),
      })
      .describe('DNS zone of the workspace; the DNS integration publishes its records.')
      .optional(),
    tunnel: atMost(32)
      .describe('Options of tunnels, by vendor, such as cloudflare. The integration of the vendor validates its own.')
      .optional(),
    ingress: z
      .object({
        rules: z.array(rule).max(64).meta(listMap('name')).describe('HTTP routes from hosts and paths to components.'),
        className: z.string().max(253).describe('Name of the IngressClass.').default('nginx'),
        loadBalancerRef: z
          .object({
            name: name.describe('Name of the Gateway.'),
            namespace: name.describe('Namespace of the Gateway.').optional(),
          })
          .describe(
            'Gateway of the HTTPRoutes, one of those that the operator allows. Default: the first of them. Not for Ingresses.',
          )
          .optional(),
      })
      .describe('HTTP routes to the components; the Ingress integration creates Ingresses or HTTPRoutes for them.')
      .optional(),
  })
  .describe('Network access from outside the cluster.');

const network = z.object({
  name: name.describe('Name of the network, unique in the component.'),
  port: port.describe('Port of the Service.'),
  targetPort: port.describe('Port of the container.'),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']).describe('Protocol of the port.').default('TCP'),
});

const dependency = z.object({
  componentName: name.describe('Name of the other component.'),
  conditionType: z
    .string()
    .max(316)
    .describe('Type of a condition of the Pod or Deployment of the other component.')
    .default('Ready'),
  conditionStatus: z
    .enum(['True', 'False', 'Unknown'])
    .describe('Status of that condition that is waited for.')
    .default('True'),
});

const component = z.object({
  name: name.describe('Name of the component, unique in the workspace.'),
  networks: z
    .array(network)
    .max(32)
    .meta(listMap('name'))
    .describe('Ports of the component that its Service exposes.')
    .optional(),
  template: atMost(64).describe(
    'PodSpec of the component. In its texts, ${components::NAME.networks.NETWORK} is replaced by host:port of another component, and ${outputs::CONDITION.NAME} by an output of an integration.',
  ),
  dependsOn: z
    .array(dependency)
    .max(64)
    .meta({ 'x-kubernetes-list-type': 'atomic' })
    .describe('Conditions of other components that must be met before this component is created.')
    .optional(),
});

/** Choice of a config, by name or by labels. */
const configChoice = z
  .object({
    kind: z
      .enum(['IntegrationConfig', 'ClusterIntegrationConfig'])
      .describe('Kind of the config. Default: IntegrationConfig, in the namespace of the workspace.')
      .optional(),
    name: z
      .string()
      .min(1)
      .max(253)
      .describe('Name of the config. Exactly one of name and matchLabels is set.')
      .optional(),
    matchLabels: z
      .record(z.string(), z.string().max(63))
      .meta({ maxProperties: 8 })
      .describe('Labels of the config; exactly one config of the type must have them all.')
      .optional(),
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
 * Zod schema of a Workspace: the single source of its TypeScript types and of its CRD, with the descriptions that `kubectl explain` shows. The spec,
 * written by tenants, is bounded.
 */
export const workspaceSchema = z.object({
  spec: z
    .object({
      className: name
        .describe(
          'Class of the operator that reconciles the workspace: its --class. Default: the operator without a class. Immutable.',
        )
        .optional(),
      networking: networking.optional(),
      components: z
        .array(component)
        .max(128)
        .meta(listMap('name'))
        .describe('Components of the environment: each runs pods of its template, behind a Service for its networks.')
        .optional(),
      integrations: atMost(64)
        .describe('Options of integrations, by the name of the integration. Each integration validates its own.')
        .optional(),
      integrationConfigs: z
        .record(z.string(), configChoice)
        .meta({ maxProperties: 16 })
        .describe(
          'IntegrationConfigs to use, by integration type. Default: the default config of the type in the namespace, or else in the cluster.',
        )
        .optional(),
    })
    .meta({ 'x-kubernetes-validations': [sameClass] })
    .describe('Desired state. Written by users.'),
  status: workspaceStatusSchema.optional(),
});
