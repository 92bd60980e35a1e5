import { add, type JsonPatchOperation, pointer, remove, test } from '../api/patch.ts';
import { type GuardEntry, group, type Workspace } from '../api/workspace.ts';
import { ApiError, InvalidError, NotFoundError } from '../errors.ts';
import type { Ref } from './integration.ts';
import type { Session } from './session.ts';

/** The annotation that keeps the ids of a condition a second time: status may be lost in a restore, annotations in a replace; either is enough. */
export const mirrorAnnotation = (type: string): string => `external.${group}/${type}`;

/** Whether the mirror is there, readable or not. */
export const isMirrored = ({ metadata }: Workspace, type: string): boolean =>
  metadata.annotations?.[mirrorAnnotation(type)] !== undefined;

const isRefs = (value: unknown): value is readonly Ref[] =>
  Array.isArray(value) && value.every((ref) => typeof ref === 'object' && ref !== null);

/** The ids that the mirror holds; none when it is absent or was damaged by hand. */
export function mirrored(workspace: Workspace, type: string): readonly Ref[] {
  try {
    const value: unknown = JSON.parse(workspace.metadata.annotations?.[mirrorAnnotation(type)] ?? '[]');
    return isRefs(value) ? value : [];
  } catch {
    return [];
  }
}

/** What tells one id from another: its `id` and `slot` where it has an `id`, else all of it. */
const identityOf = (ref: Ref): string => JSON.stringify(ref.id === undefined ? ref : [ref.slot, ref.id]);

/** Both lists, each id once. */
export function unionOf(a: readonly Ref[], b: readonly Ref[]): readonly Ref[] {
  const known = new Set(a.map(identityOf));
  return [...a, ...b.filter((ref) => !known.has(identityOf(ref)))];
}

/**
 * What the mirror has to hold before an outcome is written: the ids learned, with everything it held before as long as an attempt is unresolved;
 * once the journal is settled, what is no longer in it is dropped.
 */
export function nextMirror(
  workspace: Workspace,
  { type, entry }: { readonly type: string; readonly entry: GuardEntry },
  refs: readonly Ref[],
): readonly Ref[] {
  const settled = entry.ambiguous !== true && entry.late === undefined;
  return unionOf(settled ? ((entry.refs ?? []) as readonly Ref[]) : mirrored(workspace, type), refs);
}

const textOf = (refs: readonly Ref[]): string | undefined => (refs.length === 0 ? undefined : JSON.stringify(refs));

const heldText = ({ metadata }: Workspace, type: string): string | undefined =>
  metadata.annotations?.[mirrorAnnotation(type)];

/**
 * The patch of the main resource that sets the mirror, and other annotations with it. It is refused if the workspace was made anew, or if the mirror
 * holds something else than what was read: a write that arrives late never takes back what came after it.
 */
export function mirrorPatch(
  workspace: Workspace,
  { type, refs }: { readonly type: string; readonly refs: readonly Ref[] },
  more: Readonly<Record<string, string>> = {},
): readonly JsonPatchOperation[] {
  const name = mirrorAnnotation(type);
  const { uid, annotations } = workspace.metadata;
  const text = textOf(refs);
  const held = heldText(workspace, type);
  const values = { ...(text !== undefined && { [name]: text }), ...more };
  if (annotations === undefined)
    return [
      test('/metadata/uid', uid),
      test('/metadata/annotations', null),
      ...(Object.keys(values).length === 0 ? [] : [add('/metadata/annotations', values)]),
    ];
  const path = (annotation: string): string => pointer('metadata', 'annotations', annotation);
  return [
    test('/metadata/uid', uid),
    test(path(name), held),
    ...Object.entries(values).map(([annotation, value]) => add(path(annotation), value)),
    ...(text === undefined && held !== undefined ? [remove(path(name))] : []),
  ];
}

/** Whether the mirror holds anything else than these ids. */
export const mirrorDiffers = (workspace: Workspace, type: string, refs: readonly Ref[]): boolean =>
  mirrored(workspace, type).map(identityOf).join() !== refs.map(identityOf).join();

/** A refusal that asking again does not change: a right that is missing, an object that is too large, a webhook that says no. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.code >= 400 &&
  error.code < 500 &&
  ![404, 408, 409, 429].includes(error.code) &&
  !(error instanceof NotFoundError);

/** What is to be kept in the mirror. */
export interface Keeping {
  /** The attempt that learned the ids. */
  readonly entry: GuardEntry;
  readonly refs: readonly Ref[];
  /** Annotations to be written in the same request. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Tries once. @returns whether somebody else has written the mirror meanwhile, so that it has to be tried again */
async function tryMirror(session: Session, { entry, refs, more }: Keeping): Promise<boolean> {
  const { workspace, scope, host } = session;
  const { type } = scope;
  const wanted = nextMirror(workspace, { type, entry }, refs);
  if (!mirrorDiffers(workspace, type, wanted)) return false;
  try {
    await session.patchMain({ type: 'json', operations: mirrorPatch(workspace, { type, refs: wanted }, more) });
    return false;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const live = error instanceof InvalidError ? await session.refresh() : workspace;
    const isBare = ({ metadata }: Workspace): boolean => metadata.annotations === undefined;
    if (heldText(live, type) !== heldText(workspace, type) || isBare(live) !== isBare(workspace)) return true;
    host.events.event(live, 'Warning', 'MirrorRefused', `${type}: ids are kept in status only: ${error.message}`);
    return false;
  }
}

/**
 * Makes ids durable in the mirror. Where the server refuses that for good, the journal alone has to do, and an event says so.
 * @throws what the server or the connection failed with, if it may pass; StaleError or NotFoundError if the workspace is gone
 */
export async function writeMirror(session: Session, keeping: Keeping): Promise<void> {
  tellSecrets(session, keeping.refs);
  while (await tryMirror(session, keeping));
}

/** An id is kept as it is, since without it a thing would be lost; that it holds a secret is told. */
function tellSecrets({ host, workspace, scope: { type } }: Session, refs: readonly Ref[]): void {
  if (!host.secrets.isIn(JSON.stringify(refs))) return;
  const message = `${type}: an id holds a secret, which anybody who may read the workspace can read now: change the secret, and have the integration answer ids without it`;
  host.events.event(workspace, 'Warning', 'SecretInId', message);
}
