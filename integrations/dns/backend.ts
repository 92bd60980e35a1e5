/** Contract of a third party that stores DNS records. */

import type { DnsQuery, ObservedName } from './drift.ts';
import type { DnsChange, DnsName } from './records.ts';

/** Owner and signal of a change. */
export interface ChangeContext {
  /** Uid of the workspace: the owner in each ownership record at the third party. */
  readonly owner: string;
  /** Earlier uids of the workspace, before it was restored from a backup: records that they own are taken over and relabelled. @default none */
  readonly former?: readonly string[];
  readonly signal: AbortSignal;
}

/** Third party that stores DNS records; each name has one owner. */
export interface DnsBackend {
  /** Target of the names of ingress rules that have no record in `status.dns`. */
  readonly target?: string | undefined;
  /** TTL in seconds of records without one. @default the third party has no TTLs */
  readonly ttl?: number | undefined;
  /** Explains why the third party can never store a name, so that no request is sent; undefined when it can. Pure. @default accepts any */
  refuses?(place: DnsName): string | undefined;
  /**
   * Applies the desired state of one name. Idempotent: finds its own records of an earlier attempt by their owner; records of other owners are left
   * alone. @returns a remark for the condition's reason, if any
   * @throws DefiniteError when the third party refused without any effect
   */
  apply(change: DnsChange, context: ChangeContext): Promise<string | undefined>;
  /** Reads the records and owners of these names; without it, external changes are not detected. @throws when the state cannot be read */
  observe?(places: readonly DnsQuery[], context: Pick<ChangeContext, 'signal'>): Promise<readonly ObservedName[]>;
  /**
   * Returns what is known of changes that the third party has taken while some of its name servers have not; undefined when there are none. It asks at
   * most when that is due, and does not throw. @default what was taken counts at once
   */
  settling?(owner: string, signal: AbortSignal): Promise<SettlingChanges | undefined>;
}

/** Changes that not all name servers have. */
export interface SettlingChanges {
  /** For the condition. */
  readonly reason: string;
  /** ms until the next question; undefined when none follows. */
  readonly wait: number | undefined;
}
