/** Reports in conditions that no integration is registered for them. */

import { cutText, maxReasonLength, type ProviderHost, recordsNothing, waitsForText } from '../../sdk/host/index.ts';
import {
  type Condition,
  findCondition,
  group,
  type Integration,
  isDeleting,
  isPaused,
  keyOf,
  type ObjectKey,
  removeCondition,
  setCondition,
  type Workspace,
} from '../../sdk/index.ts';
import { unregisteredFinalizers } from './finalizers/unregistered-finalizers.ts';
import { writeStatus } from './workspace-patches.ts';

const prefix = `${group}/`;
const opening = 'no integration is registered here for this condition: ';

/** Condition whose recorded integration is not registered, with its claim. */
interface Unregistered {
  readonly condition: Condition;
  /** Name of the integration that wrote it; empty where nothing was begun. */
  readonly name: string;
  readonly isClaimed: boolean;
}

/**
 * Returns the conditions with a journal entry of an integration that is not registered, where no other one has that condition; and those under which
 * nothing was begun, unless a claim of an integration that is not registered may be theirs. Pure.
 */
export function unregisteredConditions(
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly Unregistered[] {
  const { metadata, status } = workspace;
  const { finalizers = [] } = metadata;
  const names = new Set(integrations.map(({ name }) => name));
  const types = new Set(integrations.map(({ condition }) => condition));
  const mayBeTheirs = unregisteredFinalizers(workspace, names).length > 0;
  return Object.entries(status?.guards ?? {}).flatMap(([type, entry]) => {
    const condition = findCondition(status?.conditions, type);
    if (condition === undefined || types.has(type)) return [];
    const { claim } = entry;
    if (claim === undefined)
      return recordsNothing(entry) && !mayBeTheirs ? [{ condition, name: '', isClaimed: false }] : [];
    const name = claim.slice(prefix.length);
    return claim.startsWith(prefix) && !names.has(name)
      ? [{ condition, name, isClaimed: finalizers.includes(claim) }]
      : [];
  });
}

function reasonFor({ condition, name }: Unregistered): string {
  const advice = `what ${name} has made is left as it is; register it again, or give its claim up with --orphan ${name}`;
  return cutText(`${opening}${advice}. Before: ${condition.reason}`, maxReasonLength);
}

/** Conditions that this process has reported. If another process writes its own text again, that stays. */
export class ReportedConditions {
  readonly #reported = new Map<string, Set<string>>();

  has(workspace: Workspace, { type }: Condition): boolean {
    return this.#reported.get(keyOf(workspace.metadata))?.has(reportKey(workspace, type)) ?? false;
  }

  add(workspace: Workspace, { type }: Condition): void {
    const key = keyOf(workspace.metadata);
    this.#reported.set(key, (this.#reported.get(key) ?? new Set()).add(reportKey(workspace, type)));
  }

  /** Forgets a workspace that is gone. */
  forget(key: ObjectKey): void {
    this.#reported.delete(keyOf(key));
  }
}

/** Identifies a condition of a workspace; its deletion makes it another one. */
const reportKey = (workspace: Workspace, type: string): string =>
  `${workspace.metadata.uid} ${type} ${isDeleting(workspace)}`;

/** Returns the conditions with one that is reported: removed where its claim was given up, `Waiting` where it holds up a deletion. */
function withReport(
  conditions: readonly Condition[],
  one: Unregistered,
  { deleting, now }: { readonly deleting: boolean; readonly now: number },
): readonly Condition[] {
  const { condition, isClaimed } = one;
  if (!isClaimed) return removeCondition(conditions, condition.type);
  const reason = condition.reason.startsWith(opening) ? condition.reason : reasonFor(one);
  return setCondition(conditions, { ...condition, reason, status: deleting ? 'Waiting' : condition.status }, now);
}

/**
 * Reports in each condition of an unregistered integration that it is not registered, with the former reason, and as `Waiting` while it holds up a
 * deletion. Removes the condition where the claim was given up, or nothing was begun. Writes each once per process, so that two processes with different
 * configs do not overwrite each other for ever.
 */
export async function reportUnregistered(
  host: ProviderHost,
  workspace: Workspace,
  { integrations, reported }: { readonly integrations: readonly Integration[]; readonly reported: ReportedConditions },
): Promise<Workspace> {
  const deleting = isDeleting(workspace);
  if (isPaused(workspace)) return workspace;
  const due = unregisteredConditions(workspace, integrations).filter(
    ({ condition, isClaimed }) => (isClaimed || !deleting) && !reported.has(workspace, condition),
  );
  const found = workspace.status?.conditions ?? [];
  const how = { deleting, now: host.clock.now() };
  const conditions = due.reduce((all, one) => withReport(all, one, how), found);
  if (conditions === found) return workspace;
  const waitsFor = waitsForText({ ...workspace, status: { ...workspace.status, conditions } });
  const written = await writeStatus(host, workspace, (status) => {
    status.conditions = [...conditions];
    if (waitsFor !== (status.waitsFor ?? '')) status.waitsFor = waitsFor;
  });
  for (const { condition } of due) reported.add(workspace, condition);
  return written;
}
