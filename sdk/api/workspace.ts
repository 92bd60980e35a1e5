/** The kind `Workspace`: its types, labels, annotations and finalizers. */

import type { output } from 'zod';
import { type Condition, findCondition } from './condition.ts';
import { dnsSubdomainName, labelValueOf } from './derived-name.ts';
import { type CustomResourceDefinition, defineKind, type Kind } from './kind.ts';
import type { Frozen, KubeObject } from './object.ts';
import type { workspaceSchema } from './workspace-schema.ts';

type WorkspaceShape = Frozen<output<typeof workspaceSchema>>;

/** Desired state of an environment. */
export type WorkspaceSpec = WorkspaceShape['spec'];

/** Observed state of an environment. */
export type WorkspaceStatus = NonNullable<WorkspaceShape['status']>;

/** Journal entry of one condition: see docs/guard/journal.md. */
export type GuardEntry = NonNullable<WorkspaceStatus['guards']>[string];

/** One component of an environment: a pod and the services in front of it. */
export type Component = NonNullable<WorkspaceSpec['components']>[number];

/** Summary of the conditions. */
export type Phase = NonNullable<WorkspaceStatus['phase']>;

/** Environment declared as one object. */
export interface Workspace extends KubeObject {
  readonly spec: WorkspaceSpec;
  readonly status?: WorkspaceStatus;
}

/** API group of the package's own kinds, annotations and finalizers. */
export const group = 'se.quencer.io';

/** Label of each object created through a controller: its workspace, see {@link instanceOf}. */
export const instanceLabel = 'workspaces.sequencer.io/instance';

/** Returns the value of {@link instanceLabel}: the name of the workspace, or its beginning with a digest if it has more than 63 characters. */
export const instanceOf = ({ metadata: { name } }: Pick<Workspace, 'metadata'>): string => labelValueOf(name);

/**
 * Returns the name of the Secret with the secret of an external object: `<workspace>-<condition in lower case>`, and `-<object>` where a condition has
 * several; with a digest in place of what is not allowed in a name, or too long for one.
 */
export const secretNameOf = (
  { metadata: { name } }: Pick<Workspace, 'metadata'>,
  condition: string,
  object = '',
): string => dnsSubdomainName(name, condition.toLowerCase(), ...(object === '' ? [] : [object]));

/** `Workspace` with its CRD generated from the schema; `npm run generate` stores the result, so that zod is not loaded at run time. */
export const workspaceFromSchema = defineKind<Workspace>({
  group,
  version: 'v1alpha1',
  kind: 'Workspace',
  shortNames: ['wsp'],
  categories: ['quencer'],
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Waits For', type: 'string', jsonPath: '.status.waitsFor' },
    { name: 'Host', type: 'string', jsonPath: '.status.host' },
    ...(['Unknown', 'Error', 'Waiting', 'In Progress'] as const).map((status) => ({
      name: status,
      type: 'string' as const,
      jsonPath: `.status.conditions[?(@.status=="${status}")].reason`,
      priority: 1,
    })),
    { name: 'Class', type: 'string', jsonPath: '.spec.className', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: async () => (await import('./workspace-schema.ts')).workspaceSchema,
});

/** The kind `Workspace`, `se.quencer.io/v1alpha1`. */
export const Workspace: Kind<Workspace> = {
  ...workspaceFromSchema,
  crd: async () =>
    (await import('./workspace-crd.json', { with: { type: 'json' } })).default as unknown as CustomResourceDefinition,
};

/** Returns the finalizer of an integration, which a workspace has while external objects of it may exist. */
export const claimOf = (integration: string): string => `${group}/${integration}`;

/** Returns the condition of that type; one with status `Initialized` when the workspace has none. */
export const conditionOf = (workspace: Workspace, type: string): Condition =>
  findCondition(workspace.status?.conditions, type) ?? {
    type,
    status: 'Initialized',
    reason: 'not reconciled yet',
    lastTransitionTime: workspace.metadata.creationTimestamp ?? '',
  };
