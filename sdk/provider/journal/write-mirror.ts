/** Writes the mirrors of conditions. */

import { add, type JsonPatchOperation, pointer, remove, test } from '../../api/patch.ts';
import type { GuardEntry, Workspace } from '../../api/workspace.ts';
import { StaleError } from '../../errors.ts';
import type { Ref } from '../contract/integration.ts';
import { isServerRefusal } from '../host/report-refusals.ts';
import type { Seal } from '../host/seal.ts';
import { testHolder } from './entry-patch.ts';
import { encodeMirror, mirrorAnnotation, storedMirrorTexts } from './mirror-encoding.ts';
import { formerUids, type Mirror, type MirroredOutcome, type MirrorRecord, ownRefs } from './read-mirror.ts';
import { refsWithout, sameRefs, unionOf } from './ref-sets.ts';
import type { Scope, Session } from './session.ts';

/** State to write into the mirror. */
export interface MirrorWrite {
  /** Attempt that reported the ids. */
  readonly entry: GuardEntry;
  readonly refs: readonly Ref[];
  /** Outcome of the attempt; absent while it is unknown. */
  readonly outcome?: MirroredOutcome | undefined;
  /** Time in ms within which abandoned requests of the attempt may still be carried out, including the lag of lists. */
  readonly requestMs: number;
  /** Writes the mirror before the call is sent, even if no id has changed: it then shows an open attempt. */
  readonly announce?: boolean;
}

/** Members of a record that identify its workspace. */
type RecordIdentity = Pick<MirrorRecord, 'cluster' | 'namespace' | 'name' | 'uid' | 'condition' | 'claim' | 'formerly'>;

/** Members of a record about its newest attempt. */
type AttemptState = Omit<MirrorRecord, keyof RecordIdentity>;

/** Condition of a workspace whose mirror is to be written, and the seal that signs it. */
interface MirrorTarget {
  readonly seal: Seal;
  readonly workspace: Workspace;
  readonly scope: Pick<Scope, 'type' | 'claim'>;
}

/**
 * Returns the ids that the mirror must hold before an outcome is written: while the attempt is unresolved, the new ones and all held before.
 * With an outcome, ids that the attempt knew and no longer reports are removed; an id that it did not know is never dropped.
 */
export function nextRefs(
  mirror: Mirror,
  { entry, refs, outcome }: Pick<MirrorWrite, 'entry' | 'refs' | 'outcome'>,
): readonly Ref[] {
  const before = (entry.refs ?? []) as readonly Ref[];
  const held = ownRefs(mirror, entry);
  if (outcome === undefined) return unionOf(unionOf(held, before), refs);
  const known = [...before, ...((entry.late ?? []) as readonly Ref[])];
  return unionOf(refsWithout(held, known), refs);
}

const openAttempt = ({ op, key, holder, attempt, since, began, leaseSeconds, input, generation }: GuardEntry) => ({
  ...{ op, key, holder, attempt, since, began, leaseSeconds, input, generation },
});

/** Returns the part of the record about its newest attempt. */
function attemptState({ entry, outcome, requestMs }: MirrorWrite, refs: readonly Ref[]): AttemptState {
  if (outcome === undefined) return { token: entry.token, refs, requestMs, open: openAttempt(entry) };
  const { refs: reported = refs, ...said } = outcome;
  return { token: entry.token, refs, requestMs, outcome: sameRefs(reported, refs) ? said : outcome };
}

/** Returns the members of a condition's record that identify its workspace, with the earlier uids that the mirror proves or the journal knows. */
export function recordIdentity(
  { seal, workspace, scope: { type, claim } }: MirrorTarget,
  mirror: Mirror,
  known: readonly string[] | undefined,
): RecordIdentity {
  const { uid = '', namespace = '', name } = workspace.metadata;
  const formerly = formerUids(mirror, known);
  return {
    ...{ cluster: seal.cluster, namespace, name, uid, condition: type, claim },
    ...(formerly.length > 0 && { formerly }),
  };
}

/** Returns the members that an attempt changes in the record; undefined when there are none. */
function nextState(mirror: Mirror, write: MirrorWrite): AttemptState | undefined {
  const held = mirror.kind === 'own' ? mirror.record : undefined;
  const { refs = [], open } = held ?? {};
  const next = nextRefs(mirror, write);
  const closes = open !== undefined && write.outcome !== undefined;
  return write.announce || closes || !sameRefs(refs, next) ? attemptState(write, next) : undefined;
}

/**
 * Returns the record to write; undefined when the mirror is up to date. An attempt that was taken over adds its ids and leaves the rest unchanged.
 */
export function nextRecord({ host, workspace, scope, mirror }: Session, write: MirrorWrite): MirrorRecord | undefined {
  const { entry, announce = false } = write;
  const identity = recordIdentity({ seal: host.seal(), workspace, scope }, mirror, entry.formerly);
  if (mirror.kind === 'own' && mirror.record.token > entry.token) {
    const { record } = mirror;
    const refs = unionOf(record.refs, write.refs);
    return announce || !sameRefs(record.refs, refs)
      ? { ...record, ...identity, cluster: record.cluster, refs }
      : undefined;
  }
  const state = nextState(mirror, write);
  return state && { ...identity, ...state };
}

const pathOf = (annotation: string): string => pointer('metadata', 'annotations', annotation);

/** Returns the `test` that the mirror is unchanged, which covers its pages. */
export const testMirror = ({ metadata: { annotations } }: Workspace, type: string): JsonPatchOperation =>
  annotations === undefined
    ? test('/metadata/annotations', null)
    : test(pathOf(mirrorAnnotation(type)), annotations[mirrorAnnotation(type)]);

/** Returns the operations that remove the existing mirror with its pages. */
export const removeMirror = (workspace: Workspace, type: string): readonly JsonPatchOperation[] =>
  Object.keys(storedMirrorTexts(workspace, type)).map((annotation) => remove(pathOf(annotation)));

function setMirror(
  workspace: Workspace,
  type: string,
  texts: Readonly<Record<string, string>>,
): readonly JsonPatchOperation[] {
  if (workspace.metadata.annotations === undefined) return [add('/metadata/annotations', texts)];
  const held = storedMirrorTexts(workspace, type);
  const changed = Object.entries(texts).filter(([annotation, text]) => held[annotation] !== text);
  const gone = Object.keys(held).filter((annotation) => texts[annotation] === undefined);
  return [
    ...changed.map(([annotation, text]) => add(pathOf(annotation), text)),
    ...gone.map((annotation) => remove(pathOf(annotation))),
  ];
}

/**
 * Returns the patch of the main resource that sets the mirror to {@link encodeMirror}, or removes it. It is refused if the workspace was recreated, or
 * if the mirror has changed since it was read: a late write never reverts a newer one.
 */
export const mirrorPatch = (
  workspace: Workspace,
  type: string,
  texts: Readonly<Record<string, string>> | undefined,
): readonly JsonPatchOperation[] => [
  test('/metadata/uid', workspace.metadata.uid),
  testMirror(workspace, type),
  ...(texts === undefined ? removeMirror(workspace, type) : setMirror(workspace, type, texts)),
];

/** Limit of the conditions whose mirror a process remembers as refused. */
const maxRefused = 1_000;

/** Reports by an event, and once in the log, that the server refuses the mirror, and remembers when that was. */
export function reportMirrorRefused({ host, workspace, key, lockKey, scope: { type } }: Session, error: Error): void {
  const { refusedMirrors, clock, logger } = host;
  if (!refusedMirrors.has(lockKey)) logger?.warn({ err: error, workspace: key, condition: type }, 'mirror not written');
  refusedMirrors.set(lockKey, { since: clock.monotonic(), message: error.message });
  if (refusedMirrors.size > maxRefused) refusedMirrors.delete([...refusedMirrors.keys()][0]!);
  const message = `${type}: ids are kept in status only: ${error.message}`;
  host.events.event(workspace, 'Warning', 'MirrorRefused', message);
}

/** Reports whether the server has refused the mirror within the last `within` ms: then it is only written again for new ids. */
export const isMirrorRefused = ({ host: { clock, refusedMirrors }, lockKey }: Session, within: number): boolean =>
  clock.monotonic() - (refusedMirrors.get(lockKey)?.since ?? Number.NEGATIVE_INFINITY) < within;

/** Tries to write the mirror once. `again`: a concurrent writer has changed it. */
async function tryMirror(session: Session, write: MirrorWrite): Promise<'kept' | 'refused' | 'again'> {
  const { workspace, scope, host } = session;
  const { type } = scope;
  const record = nextRecord(session, write);
  if (record === undefined) return 'kept';
  try {
    const held = write.announce ? testHolder(type, write.entry) : [];
    await session.patchMain([...held, ...mirrorPatch(workspace, type, encodeMirror(host.seal(), record))]);
    host.refusedMirrors.delete(session.lockKey);
    return 'kept';
  } catch (error) {
    if (error instanceof StaleError && session.workspace !== workspace) return 'again';
    if (!isServerRefusal(error)) throw error;
    reportMirrorRefused(session, error);
    return 'refused';
  }
}

/** Limit of the tries in a row against concurrent writers. */
const maxTries = 8;

/**
 * Makes ids durable in the mirror. If the server refuses the mirror permanently, the journal alone must suffice, and an event reports it. Nothing is
 * written once another integration has the condition, and thereby the mirror.
 * @returns whether they are stored
 * @throws the error of the server or the connection, if it is transient; StaleError or NotFoundError if the workspace is gone; StaleError too while
 * others change the mirror again and again, and if the intent to announce is not the durable one any more
 */
export async function writeMirror(session: Session, write: MirrorWrite): Promise<'kept' | 'refused'> {
  warnOfSecrets(session, write.refs);
  for (let tries = 0; session.entryOfOtherClaim === undefined; tries += 1) {
    if (write.announce && session.storedEntry?.holder !== write.entry.holder)
      throw new StaleError(`the intent of ${session.scope.type} was lost or taken over`);
    const came = await tryMirror(session, write);
    if (came !== 'again') return came;
    if (tries === maxTries)
      throw new StaleError(`${session.scope.type}: others have changed its mirror ${tries} times in a row`);
  }
  return 'refused';
}

/** Removes ids from this workspace's mirror while no attempt is in progress. @throws StaleError if a concurrent writer has changed it */
export async function dropFromMirror(session: Session, isGone: (ref: Ref) => boolean): Promise<void> {
  const { workspace, scope, mirror, host } = session;
  if (mirror.kind !== 'own') return;
  const refs = mirror.record.refs.filter((ref) => !isGone(ref));
  if (refs.length === mirror.record.refs.length) return;
  const texts = encodeMirror(host.seal(), { ...mirror.record, refs });
  await session.patchMain(mirrorPatch(workspace, scope.type, texts));
}

/** Reports an id that contains a secret; it is kept, since the external object would be lost without it. */
function warnOfSecrets({ host, workspace, scope: { type } }: Session, refs: readonly Ref[]): void {
  if (!host.secrets.isIn(JSON.stringify(refs))) return;
  const message = `${type}: an id holds a secret, which all who may read the workspace can read now: change the secret, and have the integration answer ids without it`;
  host.events.event(workspace, 'Warning', 'SecretInId', message);
}
