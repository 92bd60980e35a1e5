/** Orders of a workspace, as the journal records them. */

import { createHash } from 'node:crypto';
import type { Ref } from '../../sdk/index.ts';
import type { NameChallenge } from './authority.ts';

/** Certificate that was issued. */
export interface IssuedRecord {
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
  /** Times in ISO 8601. */
  readonly notAfter: string;
  readonly renewAt: string;
  /** Id for renewal information; absent when the certificate has none. */
  readonly renewalId?: string;
}

/** Recorded order; without a certificate or a failure it is in progress. */
export interface OrderRecord {
  /** URL of the order. */
  readonly id: string;
  /** Digest of the names that it is for. */
  readonly names: string;
  readonly challenges?: readonly NameChallenge[];
  readonly issued?: IssuedRecord;
  readonly failed?: { readonly at: string; readonly reason: string };
}

/** Digest of names, in any order. */
export const digestOf = (names: readonly string[]): string =>
  createHash('sha256')
    .update([...names].sort().join())
    .digest('hex')
    .slice(0, 16);

/** Key of an order in the Secret of private keys. */
export const keyName = ({ id }: Pick<OrderRecord, 'id'>): string =>
  `${createHash('sha256').update(id).digest('hex').slice(0, 16)}.key`;

/** Returns a number from 0 up to 1, constant for an order. */
export const spreadOf = ({ id }: Pick<OrderRecord, 'id'>): number =>
  createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32;

/** Returns the orders among the ids of a condition; an id adopted by a person has only its URL. */
export const ordersOf = (refs: readonly Ref[]): readonly OrderRecord[] =>
  refs
    .filter(({ id }) => typeof id === 'string')
    .map((ref) => ({ ...(ref as unknown as OrderRecord), names: String(ref.names ?? '') }));

/** Next step towards the certificate. */
export type CertificateStep =
  /** The certificate exists and is not due for renewal. */
  | { readonly kind: 'keep'; readonly current: OrderRecord; readonly issued: IssuedRecord }
  | { readonly kind: 'order' }
  /** Prove the names of an order, and complete it. */
  | { readonly kind: 'prove'; readonly pending: OrderRecord }
  /** An order has failed, and the next one is not due yet. */
  | { readonly kind: 'rest'; readonly reason: string; readonly until: number };

/**
 * Decides the next step. Pure. An order after the current certificate is its renewal, which is continued. @param wanted digest of the names; `isDue`: the current certificate is to be renewed now; `retryInterval`: ms from a failed
 * order to the next
 */
export function nextStep(
  orders: readonly OrderRecord[],
  {
    wanted,
    isDue,
    now,
    retryInterval,
  }: { wanted: string; isDue: (current: OrderRecord) => boolean; now: number; retryInterval: number },
): CertificateStep {
  const own = orders.filter(({ names }) => names === wanted);
  const current = own.findLast(({ issued }) => issued !== undefined);
  const last = own.at(-1);
  if (current?.issued !== undefined && current === last && !isDue(current))
    return { kind: 'keep', current, issued: current.issued };
  if (last === undefined || last === current) return { kind: 'order' };
  if (last.failed === undefined) return { kind: 'prove', pending: last };
  const until = Date.parse(last.failed.at) + retryInterval;
  const isRecent = now < until && until - now <= 2 * retryInterval; // later: written by a clock that was wrong
  return isRecent ? { kind: 'rest', reason: last.failed.reason, until } : { kind: 'order' };
}
