/** Workspaces, conditions and journal entries of tests. */

import type {
  Condition,
  ConditionStatus,
  GuardEntry,
  Workspace,
  WorkspaceSpec,
  WorkspaceStatus,
} from '../../sdk/index.ts';

/** Varying parts of {@link aWorkspace}. */
export interface WorkspaceFixture {
  readonly name?: string;
  readonly spec?: WorkspaceSpec;
  /** Statuses by condition type, observed at the workspace's generation. */
  readonly conditions?: Readonly<Record<string, ConditionStatus>>;
  readonly guards?: Readonly<Record<string, Partial<GuardEntry>>>;
  readonly status?: Partial<WorkspaceStatus>;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  readonly deleting?: boolean;
}

/** A condition as the sequencer writes it. */
export const aCondition = (type: string, status: ConditionStatus, generation = 1): Condition => ({
  type,
  status,
  reason: status,
  observedGeneration: generation,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

/** A completed journal entry unless overridden. */
export const anEntry = (entry: Partial<GuardEntry> = {}): GuardEntry => ({
  phase: 'done',
  op: 'create',
  key: 'ws-0000000000000000-1',
  token: 1,
  holder: 'one/a',
  ...entry,
});

/** A workspace as read from a server. */
export function aWorkspace({
  name = 'shop',
  generation = 1,
  finalizers,
  annotations,
  conditions,
  guards,
  status,
  spec = {},
  deleting = false,
}: WorkspaceFixture = {}): Workspace {
  const made: WorkspaceStatus = {
    ...status,
    ...(conditions && {
      conditions: Object.entries(conditions).map(([type, value]) => aCondition(type, value, generation)),
    }),
    ...(guards && {
      guards: Object.fromEntries(Object.entries(guards).map(([type, entry]) => [type, anEntry(entry)])),
    }),
  };
  return {
    apiVersion: 'se.quencer.io/v1alpha1',
    kind: 'Workspace',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '10',
      generation,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(finalizers && { finalizers }),
      ...(annotations && { annotations }),
      ...(deleting && { deletionTimestamp: '2026-01-02T00:00:00Z' }),
    },
    spec,
    ...(Object.keys(made).length > 0 && { status: made }),
  };
}
