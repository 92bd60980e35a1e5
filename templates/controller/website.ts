/** Kind Website: the spec of users, and the status of the controller. */

import { defineKind, type KubeObject, type StandardCondition } from 'workspace-sequencer/sdk';
import * as z from 'zod';

/** Website: its text is published as a ConfigMap of its name. */
export interface Website extends KubeObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly conditions?: readonly StandardCondition[] };
}

const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  observedGeneration: z.int().optional(),
  lastTransitionTime: z.string().meta({ format: 'date-time' }),
});

/** Group, version, names and schema, from which the CustomResourceDefinition is generated. */
export const Website = defineKind<Website>({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Website',
  schema: () =>
    z.object({
      spec: z.object({ text: z.string().min(1).max(1_000) }),
      status: z
        .looseObject({
          conditions: z
            .array(condition)
            .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
            .optional(),
        })
        .optional(),
    }),
});
