/** Workspaces that need intervention, each with the command for it. */

import { createSeal, sealSecretName } from '../../../sdk/host/index.ts';
import { type Condition, isDeleting, isPaused, keyOf, type Workspace } from '../../../sdk/index.ts';
import { unregisteredFinalizers } from '../../engine/finalizers/unregistered-finalizers.ts';
import { lostSealOf } from '../../engine/mirrors/lost-seal.ts';
import { claimPrefix } from '../../tenants/config-integration-name.ts';
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
const stuckAfter = 10 * 60_000;
/** Maximum number of listed findings of a status. */
const maxFindings = 50;

/** Seal without keys: a condition `Unknown` without a journal has a signature that the operator cannot verify either. */
const noSeal = createSeal('', []);

const transientStatuses: readonly string[] = ['Error', 'Locked', 'Waiting'];

function conditionFindings(
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
  if (!transientStatuses.includes(status) || minutes * 60_000 < stuckAfter) return [];
  return [{ ...about, detail, next: `kubectl -n ${namespace} describe workspace ${name}` }];
}

function workspaceFindings(workspace: Workspace, options: StuckOptions): readonly Finding[] {
  const { metadata, status } = workspace;
  const about = { check: 'workspaces', status: 'problem' } as const;
  const isOfType = (name: string): boolean =>
    options.types?.some((type) => name.startsWith(claimPrefix(type))) ?? false;
  const foreign = unregisteredFinalizers(workspace, options.registered).filter((name) => !isOfType(name));
  const claims = foreign.map(
    (name): Finding => ({
      ...about,
      detail: `${keyOf(metadata)} is claimed by ${name}, which the config does not have`,
      next: `put ${name} back into the config, or release its claims: sequencer run --orphan ${name}`,
    }),
  );
  const conditions = (status?.conditions ?? []).filter(({ type }) => type !== 'Ready');
  const stuck = [...claims, ...conditions.flatMap((condition) => conditionFindings(workspace, condition, options))];
  if (!isPaused(workspace, {}, isDeleting(workspace))) return stuck;
  return [{ check: 'workspaces', status: 'ok', detail: `${keyOf(metadata)} is paused` }];
}

/** Returns the first fifty findings of a status; the last one counts the rest. */
function firstOf(findings: readonly Finding[], status: Finding['status'], restText: (count: number) => string) {
  const all = findings.filter((one) => one.status === status);
  const rest: Finding = { check: 'workspaces', status, detail: restText(all.length - maxFindings) };
  return all.length <= maxFindings ? all : [...all.slice(0, maxFindings), rest];
}

/** Returns the findings about stuck workspaces, or a single positive finding, and those about paused ones; fifty of each. Pure. */
export function stuckIn(workspaces: readonly Workspace[], options: StuckOptions): readonly Finding[] {
  const all = workspaces.flatMap((workspace) => workspaceFindings(workspace, options));
  const problems = firstOf(all, 'problem', (count) => `and ${count} more`);
  const none: Finding = { check: 'workspaces', status: 'ok', detail: `nothing is stuck in ${workspaces.length}` };
  const paused = firstOf(all, 'ok', (count) => `and ${count} more are paused`);
  return [...(problems.length === 0 ? [none] : problems), ...paused];
}
