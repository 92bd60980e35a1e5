import { mirrorAnnotation, type Workspace } from '../../sdk/index.ts';
import { markOf } from './guarded.ts';
import type { Thing } from './inventory.ts';
import { uidIn } from './third-party.ts';

/** An id of the simulated third party, wherever and however it is written. */
const anId = /\bt\d+\b/g;

/** A signature, which may hold anything. */
const signature = /seal\\+":\\+"[^"\\]*/g;

const isMirror = (annotation: string): boolean => annotation.startsWith(mirrorAnnotation(''));

/** Ids that the workspace holds, in journal or mirror, of whatever condition. */
export function recordedIds({ metadata, status }: Workspace): readonly string[] {
  const mirrors = Object.entries(metadata.annotations ?? {}).filter(([name]) => isMirror(name));
  const entries = Object.values(status?.guards ?? {}).map(({ refs = [], late = [] }) => [refs, late]);
  return JSON.stringify([mirrors, entries]).replace(signature, '').match(anId) ?? [];
}

/** An id is the ref's own, or, of things of an external resource, one level down. */
export function idIn(ref: object): string {
  const { id } = ref as { id?: unknown };
  return typeof id === 'object' && id !== null ? idIn(id) : String(id);
}

/** The workspace that a thing belongs to: the one it is marked for; where that is gone, the one that has written down its id (after a restore). */
export const ownerAmong = (workspaces: readonly Workspace[], { id, mark }: Thing): Workspace | undefined =>
  workspaces.find((one) => markOf(one) === uidIn(mark)) ?? workspaces.find((one) => recordedIds(one).includes(id));
