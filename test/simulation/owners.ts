import { isMirrorAnnotation, type Workspace } from '../../sdk/index.ts';
import { markOf } from './guarded.ts';
import type { Thing } from './inventory.ts';
import { uidIn } from './third-party.ts';

/** An id of the simulated third party, wherever and however it is written. */
const anId = /\bt\d+\b/g;

/** The ids that a text names. */
export const idsIn = (text: string): readonly string[] => text.match(anId) ?? [];

/** A signature, which may hold anything. */
const signature = /seal\\+":\\+"[^"\\]*/g;

/** Ids that the workspace holds, in journal or mirror, of whatever condition. */
export function recordedIds({ metadata, status }: Workspace): readonly string[] {
  const mirrors = Object.entries(metadata.annotations ?? {}).filter(([name]) => isMirrorAnnotation(name));
  const entries = Object.values(status?.guards ?? {}).map(({ refs = [], late = [] }) => [refs, late]);
  return idsIn(JSON.stringify([mirrors, entries]).replace(signature, ''));
}

/** An id is the ref's own, or, of things of an external resource, one level down. */
export function idIn(ref: object): string {
  const { id } = ref as { id?: unknown };
  return typeof id === 'object' && id !== null ? idIn(id) : String(id);
}

/** Which workspace a thing belongs to. */
export class Owners {
  readonly #heirs = new Map<string, string>();

  /** A restore has made a workspace anew: what was marked for the old uid belongs to the new one. */
  inherits(old: string, heir: string): void {
    this.#heirs.set(old, heir);
  }

  of(workspaces: readonly Workspace[], { mark }: Thing): Workspace | undefined {
    const uid = this.#heir(uidIn(mark));
    return workspaces.find((one) => markOf(one) === uid);
  }

  #heir(uid: string): string {
    const heir = this.#heirs.get(uid);
    return heir === undefined ? uid : this.#heir(heir);
  }
}
