import type { ConditionStatus } from '../api/condition.ts';
import { canonicalJson } from '../api/digest.ts';
import type { GuardEntry, Workspace } from '../api/workspace.ts';
import type { Ref } from './integration.ts';
import { type MirrorHead, mirrorAnnotation, wholeRecord } from './mirror-pages.ts';
import type { Seal } from './seal.ts';

/** Whether the mirror is there, readable or not. */
export const isMirrored = ({ metadata }: Workspace, type: string): boolean =>
  metadata.annotations?.[mirrorAnnotation(type)] !== undefined;

/** Whether a record says no more than for whom it was claimed. */
export const isBlank = ({ token, refs, open, outcome }: MirrorRecord): boolean =>
  token === 0 && Array.isArray(refs) && refs.length === 0 && open === undefined && outcome === undefined;

/** Whether the mirror is there and says, true or not, that anything was begun. */
export function tellsOfWork({ metadata }: Workspace, type: string): boolean {
  const text = metadata.annotations?.[mirrorAnnotation(type)];
  if (text === undefined) return false;
  try {
    return !isBlank(JSON.parse(text) as MirrorRecord);
  } catch {
    return true;
  }
}

/** What an attempt came to, for whoever finds its journal entry unfinished, or lost. */
export interface MirroredOutcome {
  readonly holder: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  /** Of the workspace when the attempt began. */
  readonly generation?: number | undefined;
  /** @default the ids of the record */
  readonly refs?: readonly Ref[];
}

/** What of the journal entry of an unresolved attempt is mirrored. */
export type OpenAttempt = Pick<GuardEntry, 'op' | 'key' | 'holder'> &
  Partial<Pick<GuardEntry, 'attempt' | 'since' | 'began' | 'leaseSeconds' | 'input' | 'generation'>>;

/** What the mirror of one condition holds. */
export interface MirrorRecord {
  /** uid of kube-system of the cluster that it was written in. */
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly condition: string;
  /** The token of the newest attempt that has written it: an older journal entry has been put back. */
  readonly token: number;
  readonly refs: readonly Ref[];
  /** Earlier uids of the workspace, the latest last: what was made for them is ours. */
  readonly formerly?: readonly string[];
  /** How long requests of the attempt may be carried out after they were given up, and lists lag behind, ms. */
  readonly requestMs: number;
  /** What the attempt of that token came to; absent as long as it is `open`. */
  readonly outcome?: MirroredOutcome | undefined;
  readonly open?: OpenAttempt | undefined;
}

/** What the mirror of a condition is worth. */
export type Mirror =
  | { readonly kind: 'none' }
  /** Of this very workspace. */
  | { readonly kind: 'own'; readonly record: MirrorRecord }
  /** Of an earlier workspace of the same name, which is gone. */
  | { readonly kind: 'restored'; readonly record: MirrorRecord }
  /** Of a workspace of the same name in another cluster. */
  | { readonly kind: 'elsewhere'; readonly record: MirrorRecord }
  /** Of a workspace of another name. */
  | { readonly kind: 'foreign'; readonly record: MirrorRecord }
  /** Signed with a key that is not known here, or not at all where there is no key: nothing but the names of things is taken from it. */
  | { readonly kind: 'unproven'; readonly slots: readonly string[] }
  /** Not signed by this operator: somebody else has written it. */
  | { readonly kind: 'forged' };

/** How many names of things an unproven mirror may suggest. */
const mostSlots = 64;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function slotsIn(refs: unknown): readonly string[] {
  if (!Array.isArray(refs)) return [];
  const slots = refs.slice(0, mostSlots).map((ref: unknown) => (isObject(ref) ? ref.slot : undefined));
  return slots.filter((slot) => typeof slot === 'string');
}

function kindOf(
  { cluster }: Seal,
  { metadata }: Workspace,
  record: MirrorRecord,
): 'own' | 'restored' | 'elsewhere' | 'foreign' {
  if (record.namespace !== metadata.namespace || record.name !== metadata.name) return 'foreign';
  if (record.cluster !== '' && cluster !== '' && record.cluster !== cluster) return 'elsewhere';
  return record.uid === metadata.uid ? 'own' : 'restored';
}

/** Whether the journal has seen a newer mirror: somebody has put this one back, and ids in it may be anybody's by now. */
const isPutBack = ({ status }: Workspace, type: string, { token }: MirrorRecord): boolean =>
  token < (status?.guards?.[type]?.mirrored ?? 0);

function parsed(
  seal: Seal,
  workspace: Workspace,
  { type, text }: { readonly type: string; readonly text: string },
): Mirror {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) return { kind: 'forged' };
  const { seal: signature, ...head } = value as unknown as MirrorHead & { readonly seal?: unknown };
  const hasKey = seal.sign('') !== undefined;
  const verification =
    typeof signature === 'string' ? seal.verify(canonicalJson(head), signature) : hasKey ? 'invalid' : 'unknown';
  const record = verification === 'invalid' ? undefined : wholeRecord(workspace, type, head);
  if (record === undefined) return { kind: 'forged' };
  if (verification === 'unknown')
    return isBlank(record) ? { kind: 'none' } : { kind: 'unproven', slots: slotsIn(record.refs) };
  if (record.condition !== type) return { kind: 'forged' };
  const kind = kindOf(seal, workspace, record);
  return kind === 'own' && isPutBack(workspace, type, record) ? { kind: 'forged' } : { kind, record };
}

/**
 * Reads the mirror of a condition. Whoever may create the workspace may have written it: only what bears the operator's own signature, names this
 * workspace or an earlier one of its name, and is not older than its journal knows, is believed. Takes time linear in the size of the annotation.
 */
export function readMirror(seal: Seal, workspace: Workspace, type: string): Mirror {
  const text = workspace.metadata.annotations?.[mirrorAnnotation(type)];
  if (text === undefined) return { kind: 'none' };
  try {
    return parsed(seal, workspace, { type, text });
  } catch {
    return { kind: 'forged' };
  }
}

/** The token of the mirror, as far as it is this workspace's own. */
export const mirroredToken = (mirror: Mirror): number | undefined =>
  mirror.kind === 'own' ? mirror.record.token : undefined;

/** The ids that are believed to be this workspace's own. */
export const ownRefs = (mirror: Mirror): readonly Ref[] => (mirror.kind === 'own' ? mirror.record.refs : []);

/** How many earlier uids are remembered. */
const mostFormer = 8;

/** Earlier uids of the workspace that its mirror proves, the latest last. */
export function formerUids(mirror: Mirror, known: readonly string[] = []): readonly string[] {
  const proven =
    mirror.kind === 'restored'
      ? [...(mirror.record.formerly ?? []), mirror.record.uid]
      : mirror.kind === 'own'
        ? (mirror.record.formerly ?? [])
        : [];
  return [...new Set([...known, ...proven])].slice(-mostFormer);
}

/**
 * The journal entry as far as the mirror lets it be believed: one that is older than the mirror was put back, and so was one that says that nothing was
 * begun beside a mirror that may be ours. What came after it is lost then.
 */
export function believedEntry(entry: GuardEntry | undefined, mirror: Mirror): GuardEntry | undefined {
  if (entry?.phase === 'none' && mirror.kind !== 'own')
    return mirror.kind === 'none' || mirror.kind === 'forged' ? entry : undefined;
  return entry !== undefined && mirror.kind === 'own' && mirror.record.token > entry.token ? undefined : entry;
}
