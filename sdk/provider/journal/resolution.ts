/** Resolutions of unresolved attempts by a person. */

import type { ConditionStatus } from '../../api/condition.ts';
import { canonicalJson } from '../../api/digest.ts';
import { isJsonObject } from '../../api/json.ts';
import { type GuardEntry, group, type Workspace } from '../../api/workspace.ts';
import type { Ref } from '../contract/integration.ts';
import type { Seal } from '../host/seal.ts';
import { slotAndIdOf } from './external-objects.ts';
import { conditionFor, type JournalWrite } from './journal-patch.ts';
import { isSameRef, unionOf } from './ref-sets.ts';

/** Person's resolution of an attempt with an unknown outcome. The token names the attempt, so that the resolution never applies to a later one. */
export type Resolution =
  /** Nothing was created: run it again. */
  | { readonly verb: 'retry'; readonly token: number }
  /** These external objects were created and belong to the workspace: at least one id. */
  | { readonly verb: 'adopt'; readonly token: number; readonly refs: readonly Ref[]; readonly signature?: string }
  /** External objects, if any, are orphaned. */
  | { readonly verb: 'orphan'; readonly token: number };

/** Returns the annotation of a workspace in which a person resolves an attempt of a condition. */
export const resolveAnnotation = (type: string): string => `resolve.${group}/${type}`;

/** Separator between ids and their signature. */
const signatureMark = ' seal=';

/** Formats a resolution: `retry@7`, `orphan@7`, or `adopt@7=ID seal=SIGNATURE`, where ID is parsed by {@link parseRefs}. */
export function resolutionText(resolution: Resolution): string {
  const { verb, token } = resolution;
  if (verb !== 'adopt') return `${verb}@${token}`;
  const { refs, signature } = resolution;
  const text = `adopt@${token}=${JSON.stringify(refs.length === 1 ? refs[0] : refs)}`;
  return signature === undefined ? text : `${text}${signatureMark}${signature}`;
}

/** Subject of a resolution. */
interface ResolutionTarget {
  readonly workspace: Workspace;
  /** Type of the condition. */
  readonly type: string;
}

/** Returns the text to sign: it is valid for one attempt of one workspace only. */
const signedText = (
  { workspace, type }: ResolutionTarget,
  { token, refs }: Resolution & { readonly verb: 'adopt' },
): string => canonicalJson({ uid: workspace.metadata.uid, condition: type, token, refs });

/** Returns the resolution to write into the workspace, with its ids signed if there is a key. */
export function signedResolution(seal: Seal, target: ResolutionTarget, resolution: Resolution): Resolution {
  if (resolution.verb !== 'adopt') return resolution;
  const signature = seal.sign(signedText(target, resolution));
  return signature === undefined ? resolution : { ...resolution, signature };
}

/**
 * Reports whether a resolution may be carried out. Any user who can write the workspace can write the annotation; its ids are only trusted when they
 * are signed, by a user who can read the operator's key. An operator without a key accepts none.
 */
export function isResolutionTrusted(seal: Seal, target: ResolutionTarget, resolution: Resolution): boolean {
  if (resolution.verb !== 'adopt') return true;
  return seal.verify(signedText(target, resolution), resolution.signature ?? '') === 'valid';
}

/**
 * Parses ids as a person writes them: a JSON object, any text for `{"id": text}`, or a JSON array of several of both. `{"slot": name, "id": id}`
 * names one of several objects of the condition.
 */
export function parseRefs(text: string): readonly Ref[] {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return [value];
    if (Array.isArray(value) && value.length > 0)
      return value.map((one: unknown) => (isJsonObject(one) ? one : { id: String(one) }));
  } catch {
    // not JSON: a bare id
  }
  return [{ id: text }];
}

/** Inverse of {@link resolutionText}; undefined for any other text. */
export function parseResolution(text: string): Resolution | undefined {
  const mark = text.lastIndexOf(signatureMark);
  const signature = mark === -1 ? undefined : text.slice(mark + signatureMark.length).trim();
  const said = mark === -1 ? text : text.slice(0, mark);
  const [, verb, digits, ids] = /^(retry|adopt|orphan)@(\d+)(?:=(.+))?$/s.exec(said.trim()) ?? [];
  const token = Number(digits);
  if (verb === 'adopt')
    return ids === undefined
      ? undefined
      : { verb, token, refs: parseRefs(ids), ...(signature !== undefined && { signature }) };
  return (verb === 'retry' || verb === 'orphan') && ids === undefined ? { verb, token } : undefined;
}

/** Returns the resolution of the condition's current unresolved attempt; undefined when there is none, or it is for another attempt. */
export function resolutionOf(workspace: Workspace, type: string): Resolution | undefined {
  const entry = workspace.status?.guards?.[type];
  const resolution = parseResolution(workspace.metadata.annotations?.[resolveAnnotation(type)] ?? '');
  return entry?.phase === 'unknown' && entry.token === resolution?.token ? resolution : undefined;
}

/** Assigns a person's ids: the one of the object that `ensure` was creating becomes that object; the others are placed later. */
function refsAfterAdopt(entry: GuardEntry, refs: readonly Ref[]): readonly Ref[] {
  const { slot, hash } = (entry.input ?? {}) as { readonly slot?: unknown; readonly hash?: unknown };
  if (typeof slot !== 'string' || typeof hash !== 'string') return refs;
  const meant = refs.findIndex((ref) => slotAndIdOf(ref)?.slot === slot);
  const index = meant === -1 ? refs.findIndex((ref) => slotAndIdOf(ref) === undefined) : meant;
  return refs.map((ref, at) => (at === index ? { slot, id: slotAndIdOf(ref)?.id ?? ref, hash, state: 'named' } : ref));
}

/** Returns the ids to keep when nothing was created; an object that was to be replaced becomes `doubtful`, and is read again. */
function refsAfterRetry({ input, refs }: GuardEntry): GuardEntry['refs'] {
  const { instead } = (input ?? {}) as { readonly instead?: Ref };
  if (instead === undefined) return refs;
  return (refs as readonly Ref[] | undefined)?.map((ref) =>
    isSameRef(ref, instead) ? { ...ref, state: 'doubtful' } : ref,
  ) as GuardEntry['refs'];
}

interface ResolvedEntry {
  readonly entry: Partial<GuardEntry>;
  readonly status: ConditionStatus;
  readonly reason: string;
}

function resolvedEntryOf(entry: GuardEntry, resolution: Resolution, deleting: boolean): ResolvedEntry {
  if (resolution.verb === 'retry')
    return {
      entry: { phase: 'failed', generation: undefined, refs: refsAfterRetry(entry) },
      status: 'Waiting',
      reason: 'resolved by a person: nothing was created, it is run again',
    };
  if (resolution.verb === 'orphan')
    return {
      entry: { phase: 'gone', refs: undefined, late: undefined },
      status: deleting ? 'Terminated' : 'Waiting',
      reason: 'resolved by a person: what exists stays outside, and is no longer managed',
    };
  const refs = unionOf(
    (entry.refs ?? []) as readonly Ref[],
    refsAfterAdopt(entry, resolution.refs),
  ) as GuardEntry['refs'];
  return {
    entry: { phase: 'done', refs },
    status: 'In Progress',
    reason: 'resolved by a person: what was created is adopted',
  };
}

/** Returns the journal entry and the condition after a resolution. */
export function resolvedWrite(
  workspace: Workspace,
  type: string,
  { resolution, now }: { readonly resolution: Resolution; readonly now: number },
): JournalWrite {
  const seen = workspace.status?.guards?.[type] as GuardEntry;
  const { entry, status, reason } = resolvedEntryOf(
    seen,
    resolution,
    workspace.metadata.deletionTimestamp !== undefined,
  );
  const { ambiguous: _, lost, unresolved: __, ...settled } = { ...seen, ...entry };
  const isInDoubt = lost === true && (settled.refs ?? []).length > 0; // the answer is about one attempt: what else is recorded was not observed yet
  return {
    type,
    entry: JSON.parse(JSON.stringify({ ...settled, ...(isInDoubt && { lost }) })) as GuardEntry,
    condition: conditionFor({ workspace, generation: workspace.metadata.generation }, { type, status, reason }, now),
  };
}
