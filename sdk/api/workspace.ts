import type { output } from 'zod';
import { type Condition, findCondition } from './condition.ts';
import { type CustomResourceDefinition, defineKind, type Kind } from './kind.ts';
import type { Frozen, KubeObject } from './object.ts';
import type { workspaceSchema } from './workspace-schema.ts';

type Shape = Frozen<output<typeof workspaceSchema>>;

/** What somebody wants of an environment. */
export type WorkspaceSpec = Shape['spec'];

/** What is known of it. */
export type WorkspaceStatus = NonNullable<Shape['status']>;

/** The journal entry of one condition: see docs/guard.md. */
export type GuardEntry = NonNullable<WorkspaceStatus['guards']>[string];

/** One component of an environment: a pod and the services in front of it. */
export type Component = NonNullable<WorkspaceSpec['components']>[number];

/** What the conditions add up to. */
export type Phase = NonNullable<WorkspaceStatus['phase']>;

/** An environment, declared as one object. */
export interface Workspace extends KubeObject {
  readonly spec: WorkspaceSpec;
  readonly status?: WorkspaceStatus;
}

/** The group of everything that is ours. */
export const group = 'se.quencer.io';

/** On every object created through a controller: the name of the workspace it belongs to. */
export const instanceLabel = 'workspaces.sequencer.io/instance';

/** `true` stops outside changes before the next attempt. */
export const pausedAnnotation = `${group}/paused`;

/** The kind as its schema says it: what `npm run generate` writes down, so that nobody needs the schema at run time. */
export const workspaceFromSchema = defineKind<Workspace>({
  group,
  version: 'v1alpha1',
  kind: 'Workspace',
  shortNames: ['wsp'],
  categories: ['quencer'],
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Host', type: 'string', jsonPath: '.status.host' },
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

/** The finalizer of an integration: "something may exist outside". */
export const claimOf = (integration: string): string => `${group}/${integration}`;

/** The condition of that type; `Initialized` when the workspace has none yet. */
export const conditionOf = (workspace: Workspace, type: string): Condition =>
  findCondition(workspace.status?.conditions, type) ?? {
    type,
    status: 'Initialized',
    reason: 'not looked at yet',
    lastTransitionTime: workspace.metadata.creationTimestamp ?? '',
  };
