import { add, type JsonPatchOperation, pointer, remove, test } from '../api/patch.ts';
import type { GuardEntry, Workspace } from '../api/workspace.ts';
import { ApiError, RefusedError, StaleError } from '../errors.ts';
import type { Ref } from './integration.ts';
import {
  formerUids,
  type Mirror,
  type MirroredOutcome,
  type MirrorRecord,
  mirrorAnnotation,
  mirrorText,
  ownRefs,
} from './mirror-record.ts';
import { sameRefs, unionOf, without } from './refs.ts';
import type { Session } from './session.ts';

/** What is to be kept in the mirror. */
export interface Keeping {
  /** The attempt that learned the ids. */
  readonly entry: GuardEntry;
  readonly refs: readonly Ref[];
  /** What the attempt came to; absent as long as it is not known. */
  readonly outcome?: MirroredOutcome | undefined;
  /** How long requests of the attempt may be carried out after they were given up, and lists lag behind, ms. */
  readonly requestMs: number;
  /** Written although no id has changed: the call is about to go out, and nothing but this attempt could say what became of it. */
  readonly announce?: boolean;
}

/**
 * What the mirror has to hold before an outcome is written: the ids learned, with everything it held before as long as the attempt is unresolved.
 * With an outcome goes what the attempt knew of and does not name any more; an id that it did not know is never dropped.
 */
export function nextRefs(
  mirror: Mirror,
  { entry, refs, outcome }: Pick<Keeping, 'entry' | 'refs' | 'outcome'>,
): readonly Ref[] {
  const before = (entry.refs ?? []) as readonly Ref[];
  const held = ownRefs(mirror);
  if (outcome === undefined) return unionOf(unionOf(held, before), refs);
  const known = [...before, ...((entry.late ?? []) as readonly Ref[])];
  return unionOf(without(held, known), refs);
}

const openAttempt = ({ op, key, holder, attempt, since, began, leaseSeconds, input, generation }: GuardEntry) => ({
  ...{ op, key, holder, attempt, since, began, leaseSeconds, input, generation },
});

/** The part of the record that says how its newest attempt stands. */
function standing(
  { entry, outcome, requestMs }: Keeping,
  refs: readonly Ref[],
): Omit<MirrorRecord, 'cluster' | 'namespace' | 'name' | 'uid' | 'condition'> {
  if (outcome === undefined) return { token: entry.token, refs, requestMs, open: openAttempt(entry) };
  const { refs: told = refs, ...said } = outcome;
  return { token: entry.token, refs, requestMs, outcome: sameRefs(told, refs) ? said : outcome };
}

/** The record that is to be there; undefined where the mirror says so already. An attempt that was taken over adds its ids and leaves the rest as it is. */
export function nextRecord({ host, workspace, scope, mirror }: Session, keeping: Keeping): MirrorRecord | undefined {
  const { entry, refs, outcome, announce = false } = keeping;
  const { uid = '', namespace = '', name } = workspace.metadata;
  const held = mirror.kind === 'own' ? mirror.record : undefined;
  const isBehind = held !== undefined && held.token > entry.token;
  const all = isBehind ? unionOf(held.refs, refs) : nextRefs(mirror, keeping);
  const closes = held?.open !== undefined && !isBehind && outcome !== undefined;
  if (sameRefs(held?.refs ?? [], all) && !announce && !closes) return undefined;
  const formerly = formerUids(mirror, entry.formerly);
  return {
    cluster: host.seal().cluster,
    ...{ namespace, name, uid, condition: scope.type },
    ...(isBehind ? { ...held, refs: all } : standing(keeping, all)),
    ...(formerly.length > 0 && { formerly }),
  };
}

const heldText = ({ annotations }: Workspace['metadata'], type: string): string | undefined =>
  annotations?.[mirrorAnnotation(type)];

const pathOf = (type: string): string => pointer('metadata', 'annotations', mirrorAnnotation(type));

/** `test` that the mirror is as it was read. */
export const testMirror = ({ metadata }: Workspace, type: string): JsonPatchOperation =>
  metadata.annotations === undefined
    ? test('/metadata/annotations', null)
    : test(pathOf(type), heldText(metadata, type));

/**
 * The patch of the main resource that sets the mirror, or takes it away. It is refused if the workspace was made anew, or if the mirror holds
 * something else than what was read: a write that arrives late never takes back what came after it.
 */
export function mirrorPatch(
  workspace: Workspace,
  type: string,
  text: string | undefined,
): readonly JsonPatchOperation[] {
  const { uid, annotations } = workspace.metadata;
  const tests = [test('/metadata/uid', uid), testMirror(workspace, type)];
  if (text === undefined) return [...tests, remove(pathOf(type))];
  return [
    ...tests,
    annotations === undefined
      ? add('/metadata/annotations', { [mirrorAnnotation(type)]: text })
      : add(pathOf(type), text),
  ];
}

/** A refusal that asking again does not change: a right that is missing, an object that is too large, a policy that says no. */
export const isRefusal = (error: unknown): error is ApiError | RefusedError =>
  error instanceof RefusedError ||
  (error instanceof ApiError && error.code >= 400 && error.code < 500 && ![404, 408, 409, 429].includes(error.code));

/** Tries once. `again`: somebody else has written the mirror meanwhile. */
async function tryMirror(session: Session, keeping: Keeping): Promise<'kept' | 'refused' | 'again'> {
  const { workspace, scope, host } = session;
  const { type } = scope;
  const record = nextRecord(session, keeping);
  if (record === undefined) return 'kept';
  try {
    await session.patchMain(mirrorPatch(workspace, type, mirrorText(host.seal(), record)));
    return 'kept';
  } catch (error) {
    if (error instanceof StaleError && session.workspace !== workspace) return 'again';
    if (!isRefusal(error)) throw error;
    const message = `${type}: ids are kept in status only: ${error.message}`;
    host.events.event(session.workspace, 'Warning', 'MirrorRefused', message);
    return 'refused';
  }
}

/**
 * Makes ids durable in the mirror. Where the server refuses that for good, the journal alone has to do, and an event says so.
 * @returns whether they are there
 * @throws what the server or the connection failed with, if it may pass; StaleError or NotFoundError if the workspace is gone
 */
export async function writeMirror(session: Session, keeping: Keeping): Promise<'kept' | 'refused'> {
  tellSecrets(session, keeping.refs);
  for (;;) {
    const came = await tryMirror(session, keeping);
    if (came !== 'again') return came;
  }
}

/**
 * Takes ids out of this workspace's mirror while no attempt is under way.
 * @throws StaleError if somebody else has written it meanwhile, or the spec has changed: what comes next was decided on what it was
 */
export async function dropFromMirror(session: Session, isGone: (ref: Ref) => boolean): Promise<void> {
  const { workspace, scope, mirror, host } = session;
  if (mirror.kind !== 'own') return;
  const refs = mirror.record.refs.filter((ref) => !isGone(ref));
  if (refs.length === mirror.record.refs.length) return;
  const text = mirrorText(host.seal(), { ...mirror.record, refs });
  const { generation } = workspace.metadata;
  await session.patchMain([test('/metadata/generation', generation), ...mirrorPatch(workspace, scope.type, text)]);
}

/** An id is kept as it is, since without it a thing would be lost; that it holds a secret is told. */
function tellSecrets({ host, workspace, scope: { type } }: Session, refs: readonly Ref[]): void {
  if (!host.secrets.isIn(JSON.stringify(refs))) return;
  const message = `${type}: an id holds a secret, which anybody who may read the workspace can read now: change the secret, and have the integration answer ids without it`;
  host.events.event(workspace, 'Warning', 'SecretInId', message);
}
