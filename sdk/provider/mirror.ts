import { type GuardEntry, group, type Workspace } from '../api/workspace.ts';
import type { Patch } from '../client/client.ts';
import type { Ref } from './integration.ts';

/** The annotation that keeps the ids of a condition a second time: status may be lost in a restore, annotations in a replace; either is enough. */
export const mirrorAnnotation = (type: string): string => `external.${group}/${type}`;

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

/** The patch of the main resource that sets the mirror, refused if the workspace was made anew (uid). */
export const mirrorPatch = (workspace: Workspace, type: string, refs: readonly Ref[]): Patch => ({
  type: 'merge',
  value: {
    metadata: {
      uid: workspace.metadata.uid,
      annotations: { [mirrorAnnotation(type)]: refs.length === 0 ? null : JSON.stringify(refs) },
    },
  },
});

/** Whether the mirror holds anything else than these ids. */
export const mirrorDiffers = (workspace: Workspace, type: string, refs: readonly Ref[]): boolean =>
  mirrored(workspace, type).map(identityOf).join() !== refs.map(identityOf).join();
