import {
  type Client,
  type Condition,
  type ConditionStatus,
  claimOf,
  conditionOf,
  done,
  hasFinalizer,
  isDeleting,
  type Result,
  setCondition,
  Workspace,
} from '../../../../sdk/index.ts';
import { workspaceKey } from '../processes/replica.ts';
import type { Port } from '../third-party/third-party.ts';
import { condition, markOf, wantedOf } from './guarded.ts';
import type { Means, Protocol } from './protocol.ts';
import { bounds } from './protocol.ts';

const claim = claimOf('thing');
const always = new AbortController().signal;

const portOf = ({ process, thirdParty }: Means, workspace: Workspace): Port =>
  thirdParty.port(
    process,
    { uid: markOf(workspace), token: 0, holder: process.name },
    { signal: always, timeout: bounds.timeout },
  );

/** Replaces the whole status under the resourceVersion that was read. A control stores what it knows of its thing in the condition's reason. */
function say(
  { client, process }: Means,
  workspace: Workspace,
  { status, reason }: { readonly status: ConditionStatus; readonly reason: string },
): Promise<Workspace> {
  const { generation } = workspace.metadata;
  const next = { type: condition, status, reason, observedGeneration: generation };
  const conditions = setCondition(workspace.status?.conditions, next, process.clock.now());
  return client.update(
    Workspace,
    { ...workspace, status: { ...workspace.status, conditions } },
    { subresource: 'status' },
  );
}

const withFinalizers = (client: Client, workspace: Workspace, finalizers: readonly string[]): Promise<Workspace> =>
  client.update(Workspace, { ...workspace, metadata: { ...workspace.metadata, finalizers } });

const claimed = (client: Client, workspace: Workspace): Promise<Workspace> =>
  withFinalizers(client, workspace, [...(workspace.metadata.finalizers ?? []), claim]);

const released = (client: Client, workspace: Workspace): Promise<Workspace> =>
  withFinalizers(
    client,
    workspace,
    (workspace.metadata.finalizers ?? []).filter((finalizer) => finalizer !== claim),
  );

/** Decision of a control, made on the object as read. */
type Step = (means: Means, workspace: Workspace) => Promise<Result | undefined>;

const control = (name: string, step: Step): Protocol => ({
  name,
  guarded: false,
  reconciler:
    (means) =>
    async ({ object }) =>
      (object && (await step(means, object))) ?? done,
});

/** Creates the thing, or updates it to the wanted value. @returns the id */
async function brought(means: Means, workspace: Workspace, id: string): Promise<string> {
  const port = portOf(means, workspace);
  const value = wantedOf(workspace);
  if (id === '') return (await port.create({ name: workspaceKey.name, mark: markOf(workspace), value })).id;
  await port.update(id, value);
  return id;
}

const isCurrent = ({ status, observedGeneration }: Condition, { metadata }: Workspace): boolean =>
  status === 'Completed' && observedGeneration === metadata.generation;

/** Id stored in the condition's reason, also through a lock. */
const idIn = ({ reason }: Condition): string => /\bt\d+\b/.exec(reason)?.[0] ?? '';

/** Control that creates first and records the result afterwards, as users of most frameworks do. */
const recordAfterCreate: Protocol = control('record after create', async (means, workspace) => {
  const seen = conditionOf(workspace, condition);
  const id = idIn(seen);
  if (isDeleting(workspace)) {
    if (!hasFinalizer(workspace, claim)) return done;
    if (id !== '') await portOf(means, workspace).delete(id);
    await released(means.client, workspace);
    return done;
  }
  if (isCurrent(seen, workspace)) return done;
  const held = hasFinalizer(workspace, claim) ? workspace : await claimed(means.client, workspace);
  await say(means, held, { status: 'Completed', reason: await brought(means, held, id) });
  return done;
});

/** The original guard: lock, task and result, each by replacing the status; the lock names no holder. */
async function original(means: Means, workspace: Workspace, seen: Condition): Promise<Result | undefined> {
  const deleting = isDeleting(workspace);
  if (deleting && !hasFinalizer(workspace, claim)) return done;
  if (deleting && seen.status === 'Terminated') return void (await released(means.client, workspace));
  if (!deleting && (isCurrent(seen, workspace) || seen.status === 'Error')) return done;
  const held = hasFinalizer(workspace, claim) ? workspace : await claimed(means.client, workspace);
  const locked = await say(means, held, { status: 'Locked', reason: `working on ${idIn(seen)}` });
  const next = await work(means, locked, idIn(seen));
  await say(means, locked, next);
  return deleting ? { requeueAfter: 200 } : done;
}

async function work(means: Means, workspace: Workspace, id: string) {
  try {
    if (!isDeleting(workspace)) return { status: 'Completed', reason: await brought(means, workspace, id) } as const;
    if (id !== '') await portOf(means, workspace).delete(id);
    return { status: 'Terminated', reason: 'deleted' } as const;
  } catch (error) {
    return { status: 'Error', reason: `${id} ${error}` } as const;
  }
}

/** The original guard unchanged: a lock is never taken over. */
const originalGuard: Protocol = control('original guard', async (means, workspace) => {
  const seen = conditionOf(workspace, condition);
  return seen.status === 'Locked' ? done : original(means, workspace, seen);
});

/** ms after which {@link originalGuardWithTimeout} considers a lock abandoned. */
const lockTimeout = 30_000;

/** The original guard with the obvious repair: a lock older than half a minute is considered abandoned. */
const originalGuardWithTimeout: Protocol = control('original guard, lock time-out', async (means, workspace) => {
  const seen = conditionOf(workspace, condition);
  const age = means.process.clock.now() - Date.parse(seen.lastTransitionTime);
  if (seen.status === 'Locked' && age < lockTimeout) return { requeueAfter: lockTimeout - age };
  return original(means, workspace, seen.status === 'Error' ? { ...seen, status: 'Initialized' } : seen);
});

export const controls: readonly Protocol[] = [originalGuard, originalGuardWithTimeout, recordAfterCreate];
