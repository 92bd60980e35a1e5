import { type ConditionStatus, conditionStatuses } from '../api/condition.ts';
import { type GuardEntry, group, type Workspace } from '../api/workspace.ts';
import { orStale } from '../client/stale.ts';
import type { Ending } from './attempt.ts';
import type { Outcome, Ref } from './integration.ts';
import { conditionFor, entryOf, settlePatch } from './journal.ts';
import type { Session } from './session.ts';
import { settlementOf } from './settlement.ts';

/**
 * The annotation that says what an attempt came to, written with the mirror and so before the journal: if the process dies in between, nobody has to
 * look for what it made, and no person has to be asked.
 */
export const outcomeAnnotation = (type: string): string => `outcome.${group}/${type}`;

/** What the mirror is written with: the outcome, bound to this very attempt. Nothing for attempts that failed, or that took things away. */
export function foretelling(
  type: string,
  { token, holder, op }: GuardEntry,
  ending: Ending,
): Readonly<Record<string, string>> {
  if (ending.kind !== 'returned' || op === 'delete' || ending.outcome.status === 'Terminated') return {};
  const { status, reason } = ending.outcome;
  return { [outcomeAnnotation(type)]: JSON.stringify({ token, holder, status, reason, refs: ending.refs }) };
}

interface Foretold {
  readonly token: number;
  readonly holder: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly refs: readonly Ref[];
}

const isForetold = (value: unknown): value is Foretold => {
  if (typeof value !== 'object' || value === null) return false;
  const { status, reason, refs } = value as Partial<Foretold>;
  return conditionStatuses.includes(status as ConditionStatus) && typeof reason === 'string' && Array.isArray(refs);
};

/** What the unresolved attempt of a condition came to, as far as its holder could still say; undefined when it said nothing, or of another attempt. */
export function foretoldOf(
  workspace: Workspace,
  type: string,
): (Outcome & { readonly refs: readonly Ref[] }) | undefined {
  const entry = entryOf(workspace, type);
  if (entry?.phase !== 'intent' && entry?.phase !== 'unknown') return undefined;
  try {
    const value: unknown = JSON.parse(workspace.metadata.annotations?.[outcomeAnnotation(type)] ?? 'null');
    if (!isForetold(value) || value.token !== entry.token || value.holder !== entry.holder) return undefined;
    const { status, reason, refs } = value;
    return { status, reason, refs };
  } catch {
    return undefined; // damaged by hand: nothing is known
  }
}

/** Writes the outcome that a dead holder has left behind. @returns whether there was one. @throws StaleError if somebody else was faster */
export async function finishForetold(session: Session): Promise<boolean> {
  const { workspace, scope, host } = session;
  const { type } = scope;
  const entry = entryOf(workspace, type);
  const outcome = foretoldOf(workspace, type);
  if (entry === undefined || outcome === undefined) return false;
  const held = { entry: { ...entry, phase: 'intent' as const }, acquired: 0 };
  const ending: Ending = { kind: 'returned', outcome, refs: outcome.refs };
  const settled = settlementOf(held, { ending, recoverable: true }, (entry.late ?? []) as readonly Ref[]);
  const { status, reason } = settled;
  const condition = {
    ...conditionFor(workspace, { type, status, reason }, host.clock.now()),
    ...(entry.generation !== undefined && { observedGeneration: entry.generation }),
  };
  await orStale(
    session.key,
    session.patchStatus(settlePatch(workspace, entry, { type, entry: settled.entry, condition })),
  );
  return true;
}
