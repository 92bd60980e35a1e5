/** Schema of the status of the kind Workspace, which the operator and its integrations write. */

import * as z from 'zod';
import { conditionStatuses } from './condition.ts';

const byType = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] };
const generation = z.int().meta({ format: 'int64' });
const count = z.int().meta({ format: 'int64' });
const time = z.string().meta({ format: 'date-time' });
const references = z.array(z.looseObject({}));
/** Atomic map: `managedFields` has one entry for it instead of one for each leaf. */
const ownedWhole = { 'x-kubernetes-map-type': 'atomic' };
const atomic = { 'x-kubernetes-list-type': 'atomic' };

const condition = z.object({
  type: z
    .string()
    .min(1)
    .max(316)
    .describe(
      'Name of the condition, such as Components or DNS; Ready is the summary of all conditions of the operator.',
    ),
  status: z
    .enum(conditionStatuses)
    .describe(
      'State of the condition. Locked: an attempt at a change is in progress. Unknown: the outcome of an attempt is not known, and a person must resolve it. True and False are for Ready and for conditions of other controllers.',
    ),
  reason: z.string().min(1).max(1024).describe('Explanation of the status, for people.'),
  observedGeneration: generation
    .describe('metadata.generation of the workspace that the condition was computed from.')
    .optional(),
  lastTransitionTime: time.describe('Time at which the status last changed.'),
});

const guard = z
  .object({
    phase: z
      .enum(['none', 'intent', 'done', 'failed', 'unknown', 'gone'])
      .describe(
        'State of the last operation. none: no operation has begun. intent: an attempt is in progress, or its process has died. done: it succeeded. failed: it failed. unknown: its outcome is not known, and a person must resolve it. gone: all external objects are deleted.',
      ),
    op: z
      .enum(['create', 'update', 'delete', 'task'])
      .describe(
        'Kind of the operation. task: a function of the integration, which may create, update and delete several objects.',
      ),
    key: z.string().max(253).describe('Idempotency key of the operation; all of its attempts have the same key.'),
    token: count.describe(
      'Fencing token: rises with each attempt. An attempt with a lower token than the latest one cannot record its outcome.',
    ),
    attempt: count.describe('Number of the attempt at this operation, from 1.').optional(),
    holder: z
      .string()
      .max(253)
      .describe('Holder of the latest attempt: the id of its process, and a random suffix for the attempt.'),
    since: time
      .describe('Time at which the latest attempt began, by the clock of its holder. Information for people only.')
      .optional(),
    began: time
      .describe('Time at which the first attempt at this operation began, by the clock of its holder.')
      .optional(),
    leaseSeconds: z
      .int()
      .meta({ format: 'int32' })
      .describe('Duration of the lease of the attempt in seconds; each heartbeat renews it.')
      .optional(),
    beat: count
      .describe('Number of heartbeats of the attempt: its holder sends one every third of the lease.')
      .optional(),
    ambiguous: z
      .boolean()
      .describe(
        'True when the outcome of an attempt is not known, so that external objects may exist that refs does not list.',
      )
      .optional(),
    unresolved: z
      .boolean()
      .describe(
        'True when an earlier attempt at this operation has an unknown outcome, or was carried out in part, and no attempt has succeeded since.',
      )
      .optional(),
    lost: z
      .boolean()
      .describe(
        'True when this entry replaces one that was missing although the workspace has the finalizer of the integration.',
      )
      .optional(),
    input: z
      .looseObject({})
      .describe('Parameters of the operation, which each attempt repeats unchanged. Never contains secrets.')
      .optional(),
    refs: references
      .describe(
        'Ids of the external objects of this condition, as the third party returned them. Never contains secrets.',
      )
      .optional(),
    late: references
      .describe('Ids that an earlier holder recorded after another holder had taken over. Never contains secrets.')
      .optional(),
    dropped: z
      .object({
        mirrored: count.describe('Token in the annotation that still lists the ids.'),
        refs: references.describe('Ids of the deleted objects.'),
      })
      .describe(
        'Ids of deleted objects that the annotation external.se.quencer.io/CONDITION still lists, because the API server refused its update.',
      )
      .optional(),
    previous: z.string().max(64).describe('Status of the condition before the operation began.').optional(),
    generation: generation.describe('metadata.generation of the workspace that the attempt was made for.').optional(),
    mirrored: count
      .describe(
        'Token in the annotation external.se.quencer.io/CONDITION when this entry was written. An annotation with a lower token comes from a backup.',
      )
      .optional(),
    claim: z.string().max(316).describe('Finalizer of the integration that wrote this entry.').optional(),
    formerly: z
      .array(z.string().max(253))
      .max(8)
      .describe('Earlier uids of the workspace, from before it was restored from a backup.')
      .optional(),
    cause: z.string().max(1024).describe('Error of the last attempt that did not succeed.').optional(),
    format: count
      .describe(
        'Version of the format of this entry; absent: 1. An operator does not change an entry of a newer format than its own.',
      )
      .optional(),
  })
  .describe(
    'Journal entry of one condition: the last operation on its external objects, and their ids. Do not edit it: use sequencer resolve.',
  );

const outputs = z
  .object({
    values: z
      .record(z.string(), z.string().max(1024))
      .meta({ maxProperties: 256 })
      .describe(
        'Values by the name of the output; OBJECT/NAME for an output of one of several objects. Never contains secrets.',
      )
      .optional(),
    secrets: z
      .record(
        z.string(),
        z.object({
          name: z.string().max(253).describe('Name of the Secret.'),
          key: z.string().max(253).describe('Key in the data of the Secret.'),
        }),
      )
      .meta({ maxProperties: 256 })
      .describe('References to keys of Secrets in the namespace of the workspace, by the name of the output.')
      .optional(),
  })
  .describe('Outputs of the integration of one condition. Templates and other integrations refer to them.');

const dnsRecord = z.object({
  recordType: z.string().max(16).describe('Type of the record: A, AAAA, CNAME or TXT.'),
  name: z
    .string()
    .max(253)
    .describe('DNS name of the record, relative to spec.networking.dns.zone unless it ends in the zone or in a dot.'),
  target: z.string().max(1024).describe('Value of the record: an IP address, a DNS name or a text.'),
  properties: z
    .record(z.string(), z.string())
    .describe('Additional properties. ttl: lifetime of the record in seconds; default: the one of the DNS integration.')
    .optional(),
});

const route = z.object({
  host: z.string().max(253).describe('DNS name of the route: a host of the ingress rules.'),
  path: z.string().max(1024).describe('Path of the route.'),
  service: z
    .string()
    .max(63)
    .describe('Name of the Service that receives the requests, in the namespace of the workspace.'),
  port: z.int().min(1).max(65535).meta({ format: 'int32' }).describe('Port of the Service.'),
});

/**
 * Zod schema of the status of a Workspace. It is not bounded more tightly than in earlier releases, so that stored statuses stay valid after an
 * upgrade.
 */
export const workspaceStatusSchema = z
  .object({
    phase: z
      .enum(['Deploying', 'Healthy', 'Error', 'Terminating'])
      .describe('Summary of the conditions. Written by the operator.')
      .optional(),
    observedGeneration: generation
      .describe('metadata.generation of the workspace that phase was computed from.')
      .optional(),
    waitsFor: z
      .string()
      .max(4096)
      .describe('Types of the conditions that are not completed yet, separated by commas; at most eight are named.')
      .optional(),
    host: z
      .string()
      .max(253)
      .describe('DNS name of the first ingress rule, or else of the first DNS record. Written by the DNS integration.')
      .optional(),
    dns: z
      .array(dnsRecord)
      .meta(atomic)
      .describe(
        'DNS records that integrations request, such as an Ingress or a tunnel. The DNS integration publishes them.',
      )
      .optional(),
    routes: z
      .array(route)
      .max(128)
      .meta(atomic)
      .describe(
        'HTTP routes that integrations request in addition to the ingress rules, such as those of an ACME challenge. The Ingress integration creates them.',
      )
      .optional(),
    tunnel: z
      .object({
        remoteId: z.string().describe('Id of the tunnel at its vendor.').optional(),
        meta: z
          .record(z.string(), z.string())
          .describe('Details that the tunnel integration keeps for itself.')
          .optional(),
      })
      .describe('Tunnel of the workspace. Written by the tunnel integration.')
      .optional(),
    ingress: z
      .looseObject({})
      .describe('Kinds and hosts of the routes that may exist. Written by the Ingress integration.')
      .optional(),
    conditions: z
      .array(condition)
      .meta(byType)
      .describe('One condition for each integration that the spec requests, and Ready.')
      .optional(),
    outputs: z
      .record(z.string(), outputs)
      .meta(ownedWhole)
      .describe('Outputs of the integrations, by condition. Written by the integrations.')
      .optional(),
    guards: z
      .record(z.string(), guard)
      .meta(ownedWhole)
      .describe('Journal of the operations on external objects, by condition. Written by the operator.')
      .optional(),
  })
  .describe('Observed state. Written by the operator and its integrations.');
