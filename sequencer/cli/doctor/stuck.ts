/** Workspaces that need intervention, each with the command for it. */

import { createSeal, sealSecretName } from '../../../sdk/host/index.ts';
import { type Condition, isDeleting, isPaused, keyOf, type Workspace } from '../../../sdk/index.ts';
import { lostSealOf } from '../../engine/mirrors/lost-seal.ts';
import { unregisteredClaims } from '../../engine/unregistered-claims.ts';
import { claimPrefix } from '../../tenants/config-claim.ts';
import type { Finding } from './finding.ts';

/** Circumstances of {@link stuckIn}. */
export interface StuckOptions {
  /** Wall clock of the server, ms. */
  readonly now: number;
  /** Names of the config's integrations. */
  readonly registered: ReadonlySet<string>;
  /** Integration types that the config opens to tenants. @default none */
  readonly types?: readonly string[];
  readonly operatorNamespace: string;
}

/** ms after which a status that should pass counts as stuck. */
const patience = 10 * 60_000;
/** Limit of the findings that are listed. */
const max = 50;

/** Seal without keys: a condition `Unknown` without a journal has a signature that the operator cannot verify either. */
const noSeal = createSeal('', []);

const passing: readonly string[] = ['Error', 'Locked', 'Waiting'];

function ofCondition(
  workspace: Workspace,
  { type, status, reason, lastTransitionTime }: Condition,
  { now, operatorNamespace }: StuckOptions,
): readonly Finding[] {
  const { metadata } = workspace;
  const { namespace = 'default', name } = metadata;
  const minutes = Math.floor((now - Date.parse(lastTransitionTime)) / 60_000);
  const about = { check: 'workspaces', status: 'problem' } as const;
  const detail = `${keyOf(metadata)}  ${type}  ${status} for ${minutes} min: ${reason}`;
  if (status === 'Unknown') {
    const where = `--namespace ${namespace} --operator-namespace ${operatorNamespace}`;
    const lost = lostSealOf(noSeal, workspace, type);
    const next =
      lost === undefined
        ? `sequencer resolve ${name} ${type} ${where}`
        : `restore the Secret ${sealSecretName} in namespace ${operatorNamespace}, or: sequencer adopt ${name} --was ${lost.uid} ${where}`;
    return [{ ...about, detail, next }];
  }
  if (!passing.includes(status) || minutes * 60_000 < patience) return [];
  return [{ ...about, detail, next: `kubectl -n ${namespace} describe workspace ${name}` }];
}

function ofWorkspace(workspace: Workspace, options: StuckOptions): readonly Finding[] {
  const { metadata, status } = workspace;
  const about = { check: 'workspaces', status: 'problem' } as const;
  const isOfType = (name: string): boolean =>
    options.types?.some((type) => name.startsWith(claimPrefix(type))) ?? false;
  const foreign = unregisteredClaims(workspace, options.registered).filter((name) => !isOfType(name));
  const claims = foreign.map(
    (name): Finding => ({
      ...about,
      detail: `${keyOf(metadata)} is claimed by ${name}, which the config does not have`,
      next: `put ${name} back into the config, or give its claims up: sequencer run --orphan ${name}`,
    }),
  );
  const conditions = (status?.conditions ?? []).filter(({ type }) => type !== 'Ready');
  const stuck = [...claims, ...conditions.flatMap((condition) => ofCondition(workspace, condition, options))];
  if (!isPaused(workspace, {}, isDeleting(workspace))) return stuck;
  return [{ check: 'workspaces', status: 'ok', detail: `${keyOf(metadata)} is paused` }];
}

/** Returns the findings about the first fifty stuck workspaces, or a single positive finding. Pure. */
export function stuckIn(workspaces: readonly Workspace[], options: StuckOptions): readonly Finding[] {
  const all = workspaces.flatMap((workspace) => ofWorkspace(workspace, options));
  const problems = all.filter(({ status }) => status === 'problem');
  if (problems.length === 0)
    return [{ check: 'workspaces', status: 'ok', detail: `nothing is stuck in ${workspaces.length}` }, ...all];
  if (all.length <= max) return all;
  const more = `and ${all.length - max} more`;
  return [...problems.slice(0, max), { check: 'workspaces', status: 'problem', detail: more }];
}
