/** Recognizes journal entries that were put back to an older state. */

import { hasFinalizer } from '../../api/finalizer.ts';
import { keyOf } from '../../api/object.ts';
import type { GuardEntry, Workspace } from '../../api/workspace.ts';
import { isComparable, isOlder } from '../../client/cache/resource-version.ts';
import { outdatedEntry } from './mark-outdated-entry.ts';

interface NewestToken {
  readonly uid: string | undefined;
  readonly token: number;
  readonly resourceVersion: string | undefined;
}

/** Reports whether an entry records the end of an attempt, after which there may be objects. */
const isEnded = ({ phase }: GuardEntry): boolean => phase === 'done' || phase === 'failed';

/**
 * Returns the highest token that an attempt of the workspace can have, even if its status was lost: its resourceVersion, which each write of a token
 * raises. 0 for a server whose versions are not numbers.
 */
export const highestTokenOf = ({ metadata: { resourceVersion = '' } }: Workspace): number =>
  isComparable(resourceVersion) ? Number(resourceVersion) : 0;

/** Newest journal tokens that this process has seen, by workspace and condition: tokens only rise, so a later read with a lower one was put back. */
export class FencingTokens {
  readonly #seen = new Map<string, Map<string, NewestToken>>();

  #find({ metadata }: Workspace, type: string): NewestToken | undefined {
    const seen = this.#seen.get(keyOf(metadata))?.get(type);
    return seen?.uid === metadata.uid ? seen : undefined;
  }

  /** Remembers the token of a condition's journal entry, unless a higher one is known. */
  see(workspace: Workspace, type: string): void {
    const { metadata, status } = workspace;
    const token = status?.guards?.[type]?.token;
    if (token === undefined || token < this.newestOf(workspace, type)) return;
    const owner = keyOf(metadata);
    const conditions = this.#seen.get(owner) ?? new Map<string, NewestToken>();
    this.#seen.set(owner, conditions);
    conditions.set(type, { uid: metadata.uid, token, resourceVersion: metadata.resourceVersion });
  }

  /** Returns the highest token that was seen of this workspace's condition; 0 for none. */
  newestOf(workspace: Workspace, type: string): number {
    return this.#find(workspace, type)?.token ?? 0;
  }

  /** Reports whether the journal entry has a lower token than was seen in an older read: a restore, or a tool that applies statuses, put it back. */
  isRolledBack(workspace: Workspace, type: string): boolean {
    const entry = workspace.status?.guards?.[type];
    const seen = this.#find(workspace, type);
    if (entry === undefined || seen === undefined || entry.token >= seen.token) return false;
    return isOlder(seen.resourceVersion, workspace.metadata.resourceVersion);
  }

  /**
   * Returns the journal entry as corrected by the tokens that this process has seen. One of an ended attempt that was put back is in doubt, see {@link outdatedEntry}; any other one that was put back counts as missing, as long as its integration has its claim.
   */
  checkedEntry(workspace: Workspace, type: string): GuardEntry | undefined {
    const entry = workspace.status?.guards?.[type];
    if (entry === undefined || entry.lost === true || !this.isRolledBack(workspace, type)) return entry;
    if (isEnded(entry)) return outdatedEntry(entry);
    return entry.claim === undefined || hasFinalizer(workspace, entry.claim) ? undefined : entry;
  }

  /** Removes all records of a workspace that is gone. */
  forget(owner: string): void {
    this.#seen.delete(owner);
  }
}
