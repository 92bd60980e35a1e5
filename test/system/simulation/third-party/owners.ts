/** Finds the ids recorded in a workspace and the owner of a thing. */

import { isMirrorAnnotation, type Workspace } from '../../../../sdk/index.ts';
import { markOf } from '../protocols/guarded.ts';
import type { Thing } from './inventory.ts';
import { uidIn } from './third-party.ts';

/** Id of the simulated third party, in any notation. */
const anId = /\bt\d+\b/g;

/** Returns the ids in a text. */
export const idsIn = (text: string): readonly string[] => text.match(anId) ?? [];

/** Signature; its content may look like an id. */
const signature = /seal\\+":\\+"[^"\\]*/g;

/** Returns the ids that the workspace records in journal or mirror, of any condition. */
export function recordedIds({ metadata, status }: Workspace): readonly string[] {
  const mirrors = Object.entries(metadata.annotations ?? {}).filter(([name]) => isMirrorAnnotation(name));
  const entries = Object.values(status?.guards ?? {}).map(({ refs = [], late = [] }) => [refs, late]);
  return idsIn(JSON.stringify([mirrors, entries]).replace(signature, ''));
}

/** Returns the id of a ref; refs of external resources hold it one level down. */
export function idIn(ref: object): string {
  const { id } = ref as { id?: unknown };
  return typeof id === 'object' && id !== null ? idIn(id) : String(id);
}

/** Maps things to the workspaces that own them. */
export class Owners {
  readonly #heirs = new Map<string, string>();
  readonly #times = new Map<string, number>();

  /** Notes that a restore has recreated a workspace at this time: things marked for the old uid belong to the new one. */
  inherits(old: string, heir: string, at: number): void {
    this.#heirs.set(old, heir);
    this.#times.set(old, at);
  }

  /** Returns the time at which the workspace of this uid was recreated; undefined if it was not. */
  inheritedAt(uid: string): number | undefined {
    return this.#times.get(uid);
  }

  of(workspaces: readonly Workspace[], { mark }: Thing): Workspace | undefined {
    const uid = this.#line(uidIn(mark)).at(-1);
    return workspaces.find((one) => markOf(one) === uid);
  }

  /** Reports whether a thing belongs, or once belonged, to the workspace of this uid. */
  everHad(uid: string, { mark }: Thing): boolean {
    return this.#line(uidIn(mark)).includes(uid);
  }

  /** The uid and those of its heirs, in order. */
  #line(uid: string): readonly string[] {
    const heir = this.#heirs.get(uid);
    return heir === undefined ? [uid] : [uid, ...this.#line(heir)];
  }
}
