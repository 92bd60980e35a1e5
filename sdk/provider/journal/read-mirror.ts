/** Reads and verifies the mirrors of conditions. */

import type { ConditionStatus } from '../../api/condition.ts';
import { canonicalJson } from '../../api/digest.ts';
import { isJsonObject } from '../../api/json.ts';
import type { GuardEntry, Workspace } from '../../api/workspace.ts';
import type { Ref } from '../contract/integration.ts';
import type { Seal, Verification } from '../host/seal.ts';
import { newerFormat } from './journal-format.ts';
import { decodeMirror, type MirrorHead, mirrorAnnotation } from './mirror-encoding.ts';
import { isKeyOfUid } from './operation-key.ts';
import { refsAmong, refsWithout } from './ref-sets.ts';

/** Reports whether the mirror exists, valid or not. */
export const isMirrored = ({ metadata }: Workspace, type: string): boolean =>
  metadata.annotations?.[mirrorAnnotation(type)] !== undefined;

/** Reports whether a record contains no more than the identity of its workspace. */
export const isBlankRecord = ({ token, refs, open, outcome }: MirrorRecord): boolean =>
  token === 0 && Array.isArray(refs) && refs.length === 0 && open === undefined && outcome === undefined;

/** Reports whether a mirror, valid or not, records that anything was begun. */
export function recordsWork({ metadata }: Workspace, type: string): boolean {
  const text = metadata.annotations?.[mirrorAnnotation(type)];
  if (text === undefined) return false;
  try {
    return !isBlankRecord(JSON.parse(text) as MirrorRecord);
  } catch {
    return true;
  }
}

/** Outcome of an attempt, for the process that finds its journal entry unfinished or lost. */
export interface MirroredOutcome {
  readonly holder: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  /** Generation of the workspace when the attempt began. */
  readonly generation?: number | undefined;
  /** @default the ids of the record */
  readonly refs?: readonly Ref[];
}

/** Part of the journal entry of an unresolved attempt that is mirrored. */
export type OpenAttempt = Pick<GuardEntry, 'op' | 'key' | 'holder'> &
  Partial<Pick<GuardEntry, 'attempt' | 'since' | 'began' | 'leaseSeconds' | 'input' | 'generation'>>;

/** Content of the mirror of one condition. */
export interface MirrorRecord {
  /** Format of the record; absent in those that this release writes. */
  readonly format?: number;
  /** Uid of kube-system in the cluster that it was written in. */
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly condition: string;
  /** Finalizer of the integration whose objects these are; absent in mirrors of earlier releases. */
  readonly claim?: string;
  /** Token of the newest attempt that has written it; a journal entry with an older token was put back. */
  readonly token: number;
  readonly refs: readonly Ref[];
  /** Earlier uids of the workspace, the latest last; their objects belong to the workspace. */
  readonly formerly?: readonly string[];
  /** Uid of the workspace that takes these objects over by the decision of a person, though it has begun something. */
  readonly heir?: string;
  /** Time in ms within which abandoned requests of the attempt may still be carried out, including the lag of lists. */
  readonly requestMs: number;
  /** Outcome of that token's attempt; absent while it is `open`. */
  readonly outcome?: MirroredOutcome | undefined;
  readonly open?: OpenAttempt | undefined;
}

/** Verified mirror of a condition, by its origin. */
export type Mirror =
  | { readonly kind: 'none' }
  /** Of this workspace. */
  | { readonly kind: 'own'; readonly record: MirrorRecord }
  /** Of an earlier workspace of the same name, which is gone. */
  | { readonly kind: 'predecessor'; readonly record: MirrorRecord }
  /** Of a workspace of the same name in another cluster. */
  | { readonly kind: 'otherCluster'; readonly record: MirrorRecord }
  /** Signed, and in a format that only a newer release can read. */
  | { readonly kind: 'newerFormat'; readonly format: number }
  /** Of a workspace of another name. */
  | { readonly kind: 'foreign'; readonly record: MirrorRecord }
  /** Signed with an unknown key, or unsigned where there is no key: only the names of objects are used. */
  | { readonly kind: 'unverified'; readonly slots: readonly string[] }
  /** Not signed by this operator: another writer made it. */
  | { readonly kind: 'forged' };

/** Limit of the names of objects taken from an unverified mirror. */
const maxSlots = 64;

function slotsIn(refs: unknown): readonly string[] {
  if (!Array.isArray(refs)) return [];
  const slots = refs.slice(0, maxSlots).map((ref: unknown) => (isJsonObject(ref) ? ref.slot : undefined));
  return slots.filter((slot) => typeof slot === 'string');
}

function kindOf(
  { cluster }: Seal,
  { metadata }: Workspace,
  record: MirrorRecord,
): 'own' | 'predecessor' | 'otherCluster' | 'foreign' {
  if (record.namespace !== metadata.namespace || record.name !== metadata.name) return 'foreign';
  if (record.cluster !== '' && cluster !== '' && record.cluster !== cluster) return 'otherCluster';
  return record.uid === metadata.uid ? 'own' : 'predecessor';
}

/**
 * Reports whether the journal has recorded a newer mirror: this one was put back, and its ids may belong to others by now. One without ids is that of a
 * new claim.
 */
const isMirrorRolledBack = ({ status }: Workspace, record: MirrorRecord): boolean =>
  !isBlankRecord(record) && record.token < (status?.guards?.[record.condition]?.mirrored ?? 0);

/** Verifies the signature of a mirror. Without one it is invalid, unless there is no key: then it is unknown. */
function verificationOf(seal: Seal, head: MirrorHead, signature: unknown): Verification {
  if (typeof signature === 'string') return seal.verify(canonicalJson(head), signature);
  return seal.sign('') === undefined ? 'unknown' : 'invalid';
}

/**
 * Reports whether the journal of this uid has begun something without the ids of this earlier uid, which a restore takes over first: the mirror was put back
 * since, and its ids may belong to others by now. One that a person has given to this workspace was not.
 */
function isMirrorReplayed(workspace: Workspace, { condition, uid, heir }: MirrorRecord): boolean {
  const entry = workspace.status?.guards?.[condition];
  if (entry === undefined || entry.phase === 'none' || heir === workspace.metadata.uid) return false;
  return isKeyOfUid(workspace.metadata.uid, entry.key) && !entry.formerly?.includes(uid);
}

/** Returns the mirror of a signed record by its origin; one that was put back counts as forged. */
function signedMirror(seal: Seal, workspace: Workspace, record: MirrorRecord): Mirror {
  const kind = kindOf(seal, workspace, record);
  const isPutBack =
    (kind === 'own' && isMirrorRolledBack(workspace, record)) ||
    (kind === 'predecessor' && isMirrorReplayed(workspace, record));
  return isPutBack ? { kind: 'forged' } : { kind, record };
}

function parseMirror(
  seal: Seal,
  workspace: Workspace,
  { type, text }: { readonly type: string; readonly text: string },
): Mirror {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return { kind: 'forged' };
  const { seal: signature, ...head } = value as unknown as MirrorHead & { readonly seal?: unknown };
  const verification = verificationOf(seal, head, signature);
  const format = newerFormat(head);
  if (verification === 'valid' && format !== undefined) return { kind: 'newerFormat', format };
  const record = verification === 'invalid' ? undefined : decodeMirror(workspace, type, head);
  if (record === undefined) return { kind: 'forged' };
  if (verification === 'unknown')
    return isBlankRecord(record) ? { kind: 'none' } : { kind: 'unverified', slots: slotsIn(record.refs) };
  return record.condition === type ? signedMirror(seal, workspace, record) : { kind: 'forged' };
}

/**
 * Reads the mirror of a condition. Any user who can create the workspace may have written it, so it is only trusted if it has the operator's
 * signature, names this workspace or an earlier one of its name, and is not older than its journal knows. Takes time linear in the annotation's size.
 */
export function readMirror(seal: Seal, workspace: Workspace, type: string): Mirror {
  const text = workspace.metadata.annotations?.[mirrorAnnotation(type)];
  if (text === undefined) return { kind: 'none' };
  try {
    return parseMirror(seal, workspace, { type, text });
  } catch {
    return { kind: 'forged' };
  }
}

/** Returns the format of a condition's journal entry or mirror that only a newer release can read; undefined if this one can read both. */
export const newerFormatOf = (entry: Pick<GuardEntry, 'format'> | undefined, mirror: Mirror): number | undefined =>
  newerFormat(entry) ?? (mirror.kind === 'newerFormat' ? mirror.format : undefined);

/** Returns the token of the mirror, if it is this workspace's own. */
export const mirroredToken = (mirror: Mirror): number | undefined =>
  mirror.kind === 'own' ? mirror.record.token : undefined;

/** Returns the trusted ids of this workspace, without those that the entry has dropped since the mirror was written. */
export function ownRefs(mirror: Mirror, entry: Pick<GuardEntry, 'dropped'> | undefined): readonly Ref[] {
  if (mirror.kind !== 'own') return [];
  const { token, refs } = mirror.record;
  const dropped = entry?.dropped;
  return dropped?.mirrored === token ? refsWithout(refs, dropped.refs as readonly Ref[]) : refs;
}

/**
 * Returns the member `dropped` of a journal entry: ids that the attempt knew and that are gone, but that the mirror still holds, since the server refused
 * its update. `left` are the ids that the entry records.
 */
export function droppedFrom(
  mirror: Mirror,
  { known, left }: { readonly known: readonly Ref[]; readonly left: readonly Ref[] },
): Pick<GuardEntry, 'dropped'> {
  if (mirror.kind !== 'own') return {};
  const { token, refs } = mirror.record;
  const dropped = refsWithout(refsAmong(refs, known), left);
  return dropped.length > 0 ? { dropped: { mirrored: token, refs: dropped as NonNullable<GuardEntry['refs']> } } : {};
}

/** Limit of the remembered earlier uids. */
const maxFormer = 8;

/** Returns the earlier uids of the workspace that its mirror proves, the latest last. */
export function formerUids(mirror: Mirror, known: readonly string[] = []): readonly string[] {
  const proven =
    mirror.kind === 'predecessor'
      ? [...(mirror.record.formerly ?? []), mirror.record.uid]
      : mirror.kind === 'own'
        ? (mirror.record.formerly ?? [])
        : [];
  return [...new Set([...known, ...proven])].slice(-maxFormer);
}
