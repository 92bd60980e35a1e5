/** Blocks workspaces whose ids are signed with a key that the operator does not have. */

import {
  cutText,
  maxReasonLength,
  type ProviderHost,
  readMirror,
  type Seal,
  sealSecretName,
} from '../../../sdk/host/index.ts';
import {
  conditionOf,
  createController,
  type Integration,
  mirrorAnnotation,
  type Workspace,
} from '../../../sdk/index.ts';
import { effectiveWorkspace } from '../plan/effective-journal.ts';
import { type Move, nextMoves } from '../plan/plan.ts';
import { scopeOf } from '../workspace-patches.ts';

/** Mirror that bears the signature of an unknown key and names an earlier workspace of this name. */
export interface LostSeal {
  /** Uid of the earlier workspace. */
  readonly uid: string;
  /** Id of the key. */
  readonly key: string;
}

/**
 * Detects a workspace that was restored from a backup without the Secret of the seal: its condition has no journal, and its mirror is signed with a key
 * that the operator does not have. External objects bear the former uid, so no search by the own mark finds them. Undefined for all others.
 */
export function lostSealOf(seal: Seal, workspace: Workspace, type: string): LostSeal | undefined {
  const { phase = 'none' } = workspace.status?.guards?.[type] ?? {};
  if (phase !== 'none' || readMirror(seal, workspace, type).kind !== 'unverified') return undefined;
  return formerSealOf(workspace, type);
}

/** Returns the earlier workspace of this name that a mirror, verified or not, names, and the key of its signature. */
function formerSealOf({ metadata }: Workspace, type: string): LostSeal | undefined {
  const { namespace, name, uid, seal: signature } = recordIn(metadata.annotations?.[mirrorAnnotation(type)]);
  const isOfThisName = namespace === metadata.namespace && name === metadata.name;
  if (!isOfThisName || uid === metadata.uid || !/^[\w-]{1,64}$/.test(String(uid))) return undefined;
  const key = /^[\da-f]{8}(?=\.)/.exec(String(signature))?.[0];
  return key === undefined ? undefined : { uid: String(uid), key };
}

function recordIn(text = 'null'): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/**
 * Returns the reason of a condition that reports a lost seal; undefined when it reports none. Reads no key: plans and the page
 * have none.
 */
export function lostSealReason(workspace: Workspace, type: string): string | undefined {
  const { phase = 'none' } = workspace.status?.guards?.[type] ?? {};
  const { status, reason } = conditionOf(workspace, type);
  const isSaid = phase === 'none' && status === 'Unknown' && formerSealOf(workspace, type) !== undefined;
  return isSaid ? reason : undefined;
}

/** ms after which a workspace whose seal was lost is walked again: the operator reads its Secret as often. */
export const sealInterval = 60_000;

/** Decides the next moves by the journal and the verified mirrors: a condition whose seal was lost waits for a person. */
export function verifiedMoves(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly Move[] {
  const moves = nextMoves(effectiveWorkspace(host, workspace, integrations), integrations);
  return markUnsealed(moves, (type) => lostSealOf(host.seal(), workspace, type) !== undefined);
}

/** Decides the next moves from the records in a workspace alone, without the operator's key. */
export const recordedMoves = (workspace: Workspace, integrations: readonly Integration[]): readonly Move[] =>
  markUnsealed(nextMoves(workspace, integrations), (type) => lostSealReason(workspace, type) !== undefined);

const providerMoves: ReadonlySet<Move['kind']> = new Set(['reconcile', 'terminate']);

/** Replaces the moves that let a provider work where the seal of its condition was lost. */
const markUnsealed = (moves: readonly Move[], isLost: (type: string) => boolean): readonly Move[] =>
  moves.map((move) =>
    move.kind !== 'initialize' && providerMoves.has(move.kind) && isLost(move.integration.condition)
      ? { kind: 'sealLost', integration: move.integration }
      : move,
  );

/**
 * Reports, once, that a condition waits for a person since the Secret of the seal was lost. It continues by itself when that is back, or the workspace is adopted.
 * @throws StaleError, RefusedError
 */
export async function reportLostSeal(
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
  if (controller.condition.reason === cutText(reason, maxReasonLength)) return workspace;
  await controller.writeCondition('Unknown', reason);
  controller.event('Warning', 'SealLost', `${type}: ${reason}`);
  return controller.workspace;
}
