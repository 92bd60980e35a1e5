import type { ConditionStatus } from '../api/condition.ts';
import { canonicalJson } from '../api/digest.ts';
import { type GuardEntry, group, type Workspace } from '../api/workspace.ts';
import type { Ref } from './integration.ts';
import { conditionFor, type Slot } from './journal.ts';
import { unionOf } from './refs.ts';
import type { Seal } from './seal.ts';
import { placeOf } from './things.ts';

/** What a person says of an attempt of which nobody knows what became of it. The token names the question, so that it never answers a later one. */
export type Resolution =
  /** Nothing was made: run it again. */
  | { readonly verb: 'retry'; readonly token: number }
  /** This was made, and is ours: at least one id. */
  | { readonly verb: 'adopt'; readonly token: number; readonly refs: readonly Ref[]; readonly signature?: string }
  /** Whatever there is stays there, and is nobody's business any more. */
  | { readonly verb: 'orphan'; readonly token: number };

/** The annotation of a workspace in which a person answers for a condition. */
export const resolveAnnotation = (type: string): string => `resolve.${group}/${type}`;

/** Stands between ids and their signature. */
const signatureMark = ' seal=';

/** `retry@7`, `orphan@7`, or `adopt@7=ID seal=SIGNATURE`, where ID is what {@link parseRefs} reads. */
export function textOf(resolution: Resolution): string {
  const { verb, token } = resolution;
  if (verb !== 'adopt') return `${verb}@${token}`;
  const { refs, signature } = resolution;
  const text = `adopt@${token}=${JSON.stringify(refs.length === 1 ? refs[0] : refs)}`;
  return signature === undefined ? text : `${text}${signatureMark}${signature}`;
}

/** What an answer is about. */
interface Question {
  readonly workspace: Workspace;
  /** The condition. */
  readonly type: string;
}

/** What the signature of an answer is made of: it holds for one question of one workspace only. */
const signedText = ({ workspace, type }: Question, { token, refs }: Resolution & { readonly verb: 'adopt' }): string =>
  canonicalJson({ uid: workspace.metadata.uid, condition: type, token, refs });

/** The answer as it is written into the workspace: ids are signed, as far as there is a key. */
export function signedAnswer(seal: Seal, question: Question, resolution: Resolution): Resolution {
  if (resolution.verb !== 'adopt') return resolution;
  const signature = seal.sign(signedText(question, resolution));
  return signature === undefined ? resolution : { ...resolution, signature };
}

/**
 * Whether an answer may be carried out. Whoever may write the workspace may write the annotation; ids that it names are only taken for ours when they
 * are signed, by somebody who may read the operator's key. Where there is no key nothing can be signed, and every answer counts.
 */
export function isAnswerProven(seal: Seal, question: Question, resolution: Resolution): boolean {
  if (resolution.verb !== 'adopt' || seal.sign('') === undefined) return true;
  return seal.verify(signedText(question, resolution), resolution.signature ?? '') === 'valid';
}

const isObject = (value: unknown): value is Ref => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Ids as a person writes them: a JSON object, any text for `{"id": text}`, or a JSON array of several of both. With `{"slot": name, "id": id}` the
 * person says which of several things of the condition it is.
 */
export function parseRefs(text: string): readonly Ref[] {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return [value];
    if (Array.isArray(value) && value.length > 0)
      return value.map((one: unknown) => (isObject(one) ? one : { id: String(one) }));
  } catch {
    // not JSON: a bare id
  }
  return [{ id: text }];
}

/** The inverse of {@link textOf}; undefined for what is no resolution. */
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

/** A person's answer to the question that the condition asks now; undefined when it asks none, or the answer is to another one. */
export function resolutionOf(workspace: Workspace, type: string): Resolution | undefined {
  const entry = workspace.status?.guards?.[type];
  const resolution = parseResolution(workspace.metadata.annotations?.[resolveAnnotation(type)] ?? '');
  return entry?.phase === 'unknown' && entry.token === resolution?.token ? resolution : undefined;
}

/** Of the ids that a person gives, the one for what was just to be made by `ensure` becomes that thing; the others find their place later. */
function adopted(entry: GuardEntry, refs: readonly Ref[]): readonly Ref[] {
  const { slot, hash } = (entry.input ?? {}) as { readonly slot?: unknown; readonly hash?: unknown };
  if (typeof slot !== 'string' || typeof hash !== 'string') return refs;
  const meant = refs.findIndex((ref) => placeOf(ref)?.slot === slot);
  const index = meant === -1 ? refs.findIndex((ref) => placeOf(ref) === undefined) : meant;
  return refs.map((ref, at) => (at === index ? { slot, id: placeOf(ref)?.id ?? ref, hash, state: 'named' } : ref));
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
  const refs = unionOf((entry.refs ?? []) as readonly Ref[], adopted(entry, resolution.refs)) as GuardEntry['refs'];
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
  const seen = workspace.status?.guards?.[type] as GuardEntry;
  const { entry, status, reason } = verdictOf(seen, resolution, workspace.metadata.deletionTimestamp !== undefined);
  const { ambiguous: _, lost: __, unresolved: ___, ...settled } = { ...seen, ...entry };
  return {
    type,
    entry: JSON.parse(JSON.stringify(settled)) as GuardEntry,
    condition: conditionFor(workspace, { type, status, reason }, now),
  };
}
