/** Detects mirrors that belong to other workspaces, are forged, or cannot be verified any more. */

import {
  type Mirror,
  newerFormat,
  type ProviderHost,
  readMirror,
  removeMirror,
  type Seal,
  sealSecretName,
} from '../../sdk/host/index.ts';
import {
  add,
  claimOf,
  createController,
  type Integration,
  type JsonPatchOperation,
  mirrorAnnotation,
  pointer,
  RefusedError,
  test,
  type Workspace,
} from '../../sdk/index.ts';
import { believedWorkspace } from './believed.ts';
import { patched, scopeOf } from './moves.ts';
import { type Move, nextMoves } from './plan.ts';
import { isClaimed } from './shared-condition.ts';

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
    return `${what} does not bear the seal of this operator: its ids are not used, and it is removed`;
  const { namespace, name, uid } = mirror.record;
  return `${what} is that of workspace ${namespace}/${name} (uid ${uid}): this one is a copy and begins afresh; nothing of the other one is touched`;
}

/** Reports whether a claim was copied with its workspace: without a journal entry, nothing was begun for it. */
const isCopiedClaim = (workspace: Workspace, { integration, mirror }: Foreign): boolean =>
  mirror.kind === 'foreign' &&
  workspace.status?.guards?.[integration.condition] === undefined &&
  isClaimed(workspace, integration);

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
 * Removes mirrors that another writer made, or that were copied with a workspace; reports each by an event. If the server refuses the removal, they
 * stay and are not trusted. @throws StaleError if a concurrent writer was faster
 */
export async function dropForeignMirrors(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  const foreign = foreignOf(host, workspace, integrations);
  if (foreign.length === 0) return workspace;
  try {
    const dropped = await patched(host, workspace, { operations: dropPatch(workspace, foreign), status: false });
    for (const one of foreign) host.events.event(dropped, 'Warning', 'ForeignIds', textOf(one));
    return dropped;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    host.events.event(workspace, 'Warning', 'ForeignIds', `${foreign.map(textOf).join('; ')}; ${error.message}`);
    return workspace;
  }
}

/** Mirror that bears the signature of an unknown key and names an earlier workspace of this name. */
export interface LostSeal {
  /** Uid of the earlier workspace. */
  readonly uid: string;
  /** Id of the key. */
  readonly key: string;
}

/**
 * Returns what the mirror of a condition without a journal says where the key of its signature is unknown: the workspace was restored from a backup, and
 * the Secret of the seal was not. What the earlier one had bears its uid, so that no search by the own mark finds it. Undefined for all others.
 */
export function lostSealOf(seal: Seal, workspace: Workspace, type: string): LostSeal | undefined {
  const { metadata, status } = workspace;
  const { phase = 'none' } = status?.guards?.[type] ?? {};
  if (phase !== 'none' || readMirror(seal, workspace, type).kind !== 'unproven') return undefined;
  const record: unknown = JSON.parse(metadata.annotations?.[mirrorAnnotation(type)] ?? '');
  const { namespace, name, uid, seal: signature } = record as Readonly<Record<string, unknown>>;
  const isOfThisName = namespace === metadata.namespace && name === metadata.name;
  if (!isOfThisName || uid === metadata.uid || !/^[\w-]{1,64}$/.test(String(uid))) return undefined;
  const key = /^[\da-f]{8}(?=\.)/.exec(String(signature))?.[0];
  return key === undefined ? undefined : { uid: String(uid), key };
}

/** ms after which a workspace whose seal was lost is looked at again: the operator reads its Secret as often. */
export const sealInterval = 60_000;

/** Decides the next moves in the light of the mirrors: nothing is done about what a person has to restore first. */
export function provenMoves(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly Move[] {
  const working: readonly Move['kind'][] = ['reconcile', 'terminate'];
  return nextMoves(believedWorkspace(host, workspace, integrations), integrations).map((move) =>
    move.kind !== 'initialize' &&
    working.includes(move.kind) &&
    lostSealOf(host.seal(), workspace, move.integration.condition) !== undefined
      ? { kind: 'unsealed', integration: move.integration }
      : move,
  );
}

/**
 * Tells, once, that a condition waits for a person since the Secret of the seal was lost. It goes on by itself when that is back, or the workspace is adopted.
 * @throws StaleError, RefusedError
 */
export async function tellLostSeal(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const { condition: type } = integration;
  const lost = lostSealOf(host.seal(), workspace, type);
  if (lost === undefined) return workspace;
  const reason =
    `key ${lost.key}, with which ${mirrorAnnotation(type)} is signed, is not in the Secret ${sealSecretName} of the operator: ` +
    `what workspace uid ${lost.uid} of this name had is not known, and nothing is made or removed. ` +
    `Restore that key, or take over what bears the uid: sequencer adopt ${workspace.metadata.name} --was ${lost.uid}`;
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  if (controller.condition.reason === reason) return workspace;
  await controller.writeCondition('Unknown', reason);
  controller.event('Warning', 'SealLost', `${type}: ${reason}`);
  return controller.workspace;
}
