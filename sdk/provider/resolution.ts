import type { ConditionStatus } from '../api/condition.ts';
import { type GuardEntry, group, type Workspace } from '../api/workspace.ts';
import type { Ref } from './integration.ts';
import { conditionFor, entryOf, type Slot } from './journal.ts';
import { unionOf } from './mirror.ts';

/** What a person says of an attempt of which nobody knows what became of it. The token names the question, so that it never answers a later one. */
export type Resolution =
  /** Nothing was made: run it again. */
  | { readonly verb: 'retry'; readonly token: number }
  /** This was made, and is ours. */
  | { readonly verb: 'adopt'; readonly token: number; readonly ref: Ref }
  /** Whatever there is stays there, and is nobody's business any more. */
  | { readonly verb: 'orphan'; readonly token: number };

/** The annotation of a workspace in which a person answers for a condition. */
export const resolveAnnotation = (type: string): string => `resolve.${group}/${type}`;

/** `retry@7`, `orphan@7`, or `adopt@7=ID`, where ID is a JSON object, or any text for `{"id": text}`. */
export const textOf = (resolution: Resolution): string =>
  resolution.verb === 'adopt'
    ? `adopt@${resolution.token}=${JSON.stringify(resolution.ref)}`
    : `${resolution.verb}@${resolution.token}`;

/** An id as a person writes it: a JSON object, or any text for `{"id": text}`. */
export function parseRef(text: string): Ref {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Ref;
  } catch {
    // not JSON: a bare id
  }
  return { id: text };
}

/** The inverse of {@link textOf}; undefined for what is no resolution. */
export function parseResolution(text: string): Resolution | undefined {
  const [, verb, digits, ref] = /^(retry|adopt|orphan)@(\d+)(?:=(.+))?$/s.exec(text.trim()) ?? [];
  const token = Number(digits);
  if (verb === 'adopt') return ref === undefined ? undefined : { verb, token, ref: parseRef(ref) };
  return (verb === 'retry' || verb === 'orphan') && ref === undefined ? { verb, token } : undefined;
}

/** A person's answer to the question that the condition asks now; undefined when it asks none, or the answer is to another one. */
export function resolutionOf(workspace: Workspace, type: string): Resolution | undefined {
  const entry = entryOf(workspace, type);
  const resolution = parseResolution(workspace.metadata.annotations?.[resolveAnnotation(type)] ?? '');
  return entry?.phase === 'unknown' && entry.token === resolution?.token ? resolution : undefined;
}

/** An id that a person gives for something that was to be made by `ensure` becomes one of its things. */
function adopted(entry: GuardEntry, ref: Ref): Ref {
  const { slot, hash } = (entry.input ?? {}) as { readonly slot?: unknown; readonly hash?: unknown };
  return typeof slot === 'string' && typeof hash === 'string' ? { slot, id: ref, hash } : ref;
}

interface Verdict {
  readonly entry: Partial<GuardEntry>;
  readonly status: ConditionStatus;
  readonly reason: string;
}

function verdictOf(entry: GuardEntry, resolution: Resolution, deleting: boolean): Verdict {
  if (resolution.verb === 'retry')
    return {
      entry: { phase: 'failed', generation: undefined },
      status: 'Waiting',
      reason: 'a person says that nothing was made: it is tried again',
    };
  if (resolution.verb === 'orphan')
    return {
      entry: { phase: 'gone', refs: undefined, late: undefined },
      status: deleting ? 'Terminated' : 'Waiting',
      reason: 'a person says that what there is stays, and is not ours any more',
    };
  const refs = unionOf((entry.refs ?? []) as readonly Ref[], [adopted(entry, resolution.ref)]) as GuardEntry['refs'];
  return {
    entry: { phase: 'done', refs },
    status: 'In Progress',
    reason: 'a person says what was made: it is adopted',
  };
}

/** What a person's answer makes of the journal entry and its condition. */
export function resolvedSlot(
  workspace: Workspace,
  type: string,
  { resolution, now }: { readonly resolution: Resolution; readonly now: number },
): Slot {
  const seen = entryOf(workspace, type) as GuardEntry;
  const { entry, status, reason } = verdictOf(seen, resolution, workspace.metadata.deletionTimestamp !== undefined);
  const { ambiguous: _, lost: __, ...settled } = { ...seen, ...entry };
  return {
    type,
    entry: JSON.parse(JSON.stringify(settled)) as GuardEntry,
    condition: conditionFor(workspace, { type, status, reason }, now),
  };
}
