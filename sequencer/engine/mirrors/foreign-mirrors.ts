/** Detects and removes mirrors that belong to other workspaces or are forged, and the journal entries that were copied with them. */

import {
  isCopiedEntry,
  isKeyOfUid,
  type Mirror,
  newerFormat,
  type ProviderHost,
  readMirror,
  removeMirror,
} from '../../../sdk/host/index.ts';
import {
  add,
  claimOf,
  type GuardEntry,
  type Integration,
  type JsonPatchOperation,
  mirrorAnnotation,
  pointer,
  RefusedError,
  remove,
  test,
  type Workspace,
} from '../../../sdk/index.ts';
import { formerRecordsOf } from '../plan/effective-journal.ts';
import { isClaimed } from '../plan/shared-condition.ts';
import { patchWorkspace } from '../workspace-patches.ts';

/** Mirror that does not belong to the workspace. */
interface Foreign {
  readonly integration: Integration;
  readonly mirror: Extract<Mirror, { readonly kind: 'forged' | 'foreign' }>;
}

function foreignOf(host: ProviderHost, workspace: Workspace, integrations: readonly Integration[]): readonly Foreign[] {
  const claimedLast = integrations.toSorted(
    (a, b) => Number(isClaimed(workspace, a)) - Number(isClaimed(workspace, b)),
  );
  const byCondition = new Map(claimedLast.map((integration) => [integration.condition, integration]));
  return [...byCondition.values()].flatMap((integration) => {
    if (newerFormat(workspace.status?.guards?.[integration.condition]) !== undefined) return []; // its mirror may be of another form too
    const mirror = readMirror(host.seal(), workspace, integration.condition);
    return mirror.kind === 'forged' || mirror.kind === 'foreign' ? [{ integration, mirror }] : [];
  });
}

function textOf({ integration: { condition }, mirror }: Foreign): string {
  const what = `annotation ${mirrorAnnotation(condition)}`;
  if (mirror.kind === 'forged')
    return `${what} does not bear the seal of this operator, or is older than its journal entry: its ids are not used, and it is removed`;
  const { namespace, name, uid } = mirror.record;
  return `${what} is that of workspace ${namespace}/${name} (uid ${uid}): this one is a copy and begins afresh; nothing of the other one is touched`;
}

/** Reports whether a claim was copied with its workspace: without a journal entry, here or under a former condition, nothing was begun for it. */
const isCopiedClaim = (workspace: Workspace, { integration, mirror }: Foreign): boolean =>
  mirror.kind === 'foreign' &&
  workspace.status?.guards?.[integration.condition] === undefined &&
  formerRecordsOf(workspace, integration).length === 0 &&
  isClaimed(workspace, integration);

/** Reports whether a journal entry was copied with its workspace: by its key or, for an entry of an earlier release, by its mirror. */
function isOfOriginal(host: ProviderHost, workspace: Workspace, [type, entry]: readonly [string, GuardEntry]): boolean {
  if (newerFormat(entry) !== undefined || isKeyOfUid(workspace.metadata.uid, entry.key)) return false;
  const mirror = readMirror(host.seal(), workspace, type);
  return mirror.kind === 'foreign' || isCopiedEntry(workspace, entry, mirror);
}

/** Removes copied journal entries: the ids in them are those of the original. @throws StaleError if a concurrent writer was faster */
async function dropCopiedEntries(host: ProviderHost, workspace: Workspace): Promise<Workspace> {
  const copied = Object.entries(workspace.status?.guards ?? {}).filter((one) => isOfOriginal(host, workspace, one));
  if (copied.length === 0) return workspace;
  const operations = copied.flatMap(([type, entry]) => {
    const path = pointer('status', 'guards', type);
    return [test(path, entry), remove(path)];
  });
  const dropped = await patchWorkspace(host, workspace, {
    operations: [test('/metadata/uid', workspace.metadata.uid), ...operations],
    status: true,
  });
  const types = copied.map(([type]) => type).join(', ');
  const message = `the journal of ${types} came with the status of another workspace: this one begins afresh; nothing of the other one is touched`;
  host.events.event(dropped, 'Warning', 'ForeignIds', message);
  return dropped;
}

function absent({ status }: Workspace, type: string): JsonPatchOperation {
  if (status === undefined) return test('/status', null);
  return test(status.guards === undefined ? '/status/guards' : pointer('status', 'guards', type), null);
}

/** Returns the patch that removes foreign mirrors and copied claims, with tests of their values as read. */
function dropPatch(workspace: Workspace, foreign: readonly Foreign[]): readonly JsonPatchOperation[] {
  const { uid, annotations, finalizers = [] } = workspace.metadata;
  const copied = foreign.filter((one) => isCopiedClaim(workspace, one));
  const claims = copied.map(({ integration }) => claimOf(integration.name));
  const kept = finalizers.filter((finalizer) => !claims.includes(finalizer));
  return [
    test('/metadata/uid', uid),
    ...foreign.flatMap(({ integration: { condition } }) => {
      const path = pointer('metadata', 'annotations', mirrorAnnotation(condition));
      return [test(path, annotations?.[mirrorAnnotation(condition)]), ...removeMirror(workspace, condition)];
    }),
    ...copied.map(({ integration: { condition } }) => absent(workspace, condition)),
    ...(claims.length === 0 ? [] : [test('/metadata/finalizers', finalizers), add('/metadata/finalizers', kept)]),
  ];
}

/**
 * Removes mirrors that another writer made, or that were copied with a workspace, with its journal entries; reports each by an event. If the server refuses the removal, they
 * stay and are not trusted. @throws StaleError if a concurrent writer was faster
 */
export async function dropForeignMirrors(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  const cleared = await dropCopiedEntries(host, workspace);
  const foreign = foreignOf(host, cleared, integrations);
  if (foreign.length === 0) return cleared;
  try {
    const dropped = await patchWorkspace(host, cleared, { operations: dropPatch(cleared, foreign), status: false });
    for (const one of foreign) host.events.event(dropped, 'Warning', 'ForeignIds', textOf(one));
    return dropped;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    host.events.event(workspace, 'Warning', 'ForeignIds', `${foreign.map(textOf).join('; ')}; ${error.message}`);
    return cleared;
  }
}
