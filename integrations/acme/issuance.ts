/** Guarded tasks: create, prove and finalize an order; revoke certificates. */

import { type Clock, timestamp } from '../../sdk/index.ts';
import type { CertificateAuthority, CertificateOrder } from './authority.ts';
import { certificateRequest, type LeafCertificate, leafOf } from './certificates.ts';
import type { OrderRecord } from './order-records.ts';

/** Certificate with its chain, as the authority has issued it. */
export interface IssuedChain {
  readonly chain: string;
  readonly leaf: LeafCertificate;
}

/** Result of an attempt to have an order issued. */
export type Issuance =
  | ({ readonly kind: 'issued' } & IssuedChain)
  /** The order has failed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The authority is still at work. */
  | { readonly kind: 'pending' };

/** Order, and the inputs of its issuance. */
export interface IssuanceOptions {
  readonly authority: CertificateAuthority;
  readonly record: OrderRecord;
  readonly names: readonly string[];
  /** Private key of the certificate, as PEM. */
  readonly key: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** ms for which the authority is waited for in one attempt. */
const maxWait = 30_000;
/** ms between two questions, where the authority names no time. */
const usualWait = 1_000;

/** Downloads the certificate of an order. @throws Error when it is not one of this key */
export async function downloaded(
  { authority, key, signal }: Pick<IssuanceOptions, 'authority' | 'key' | 'signal'>,
  url: string,
): Promise<IssuedChain | undefined> {
  const chain = await authority.certificate({ url, signal });
  const leaf = leafOf(chain);
  return leaf?.isOf(key) === true ? { chain, leaf } : undefined;
}

/** Returns the result of an order whose certificate is ready. */
async function issuedOrder(options: IssuanceOptions, url: string): Promise<Issuance> {
  const issued = await downloaded(options, url);
  return issued === undefined
    ? { kind: 'failed', reason: 'the authority has issued a certificate for another key' }
    : { kind: 'issued', ...issued };
}

/** Returns the failure of an invalid or missing order. */
const failureOf = (order: CertificateOrder | undefined): string =>
  order === undefined
    ? 'the authority no longer knows the order'
    : (order.problem ?? 'the authority refuses the order');

async function answerChallenges({ authority, record, signal }: IssuanceOptions): Promise<void> {
  for (const { url } of record.challenges ?? []) await authority.answer({ url, signal });
}

const finalizeOrder = ({ authority, names, key, signal }: IssuanceOptions, url: string): Promise<unknown> =>
  authority.finalize({ url, request: certificateRequest(key, names), signal });

/** Executes the next step of an order. @returns its result, if it has ended */
async function step(
  options: IssuanceOptions,
  order: CertificateOrder | undefined,
  isAnswered: boolean,
): Promise<Issuance> {
  if (order === undefined || order.status === 'invalid') return { kind: 'failed', reason: failureOf(order) };
  const { status, certificate, finalize } = order;
  if (status === 'valid' && certificate !== undefined) return issuedOrder(options, certificate);
  if (status === 'pending' && !isAnswered) await answerChallenges(options);
  if (status === 'ready') await finalizeOrder(options, finalize);
  return { kind: 'pending' };
}

/** Completes an order from any state: requests the validation of challenges, finalizes it once, and downloads the certificate. */
export async function issue(options: IssuanceOptions): Promise<Issuance> {
  const { authority, record, clock, signal } = options;
  const end = clock.monotonic() + maxWait;
  for (let isAnswered = false; ; isAnswered = true) {
    const order = await authority.read({ url: record.id, signal });
    const issuance = await step(options, order, isAnswered);
    if (issuance.kind !== 'pending' || clock.monotonic() >= end) return issuance;
    await clock.sleep(Math.min(order?.retryAfter ?? usualWait, maxWait), signal);
  }
}

/** Share of its validity after which a certificate is renewed. */
const renewalShare = 2 / 3;

/** Returns the record of an order that was issued. */
export const issuedRecord = (
  { id, names }: OrderRecord,
  { notBefore, notAfter, fingerprint, renewalId }: LeafCertificate,
): OrderRecord => ({
  id,
  names,
  issued: {
    fingerprint,
    notAfter: timestamp(notAfter),
    renewAt: timestamp(notBefore + (notAfter - notBefore) * renewalShare),
    ...(renewalId !== undefined && { renewalId }),
  },
});

/** Revokes the certificates of these orders, as far as there are any that are still valid. */
export async function revokeAll(
  { authority, clock, signal }: Pick<IssuanceOptions, 'authority' | 'clock' | 'signal'>,
  records: readonly OrderRecord[],
): Promise<void> {
  for (const { id } of records) {
    const order = await authority.read({ url: id, signal });
    if (order?.certificate === undefined) continue;
    const leaf = leafOf(await authority.certificate({ url: order.certificate, signal }));
    if (leaf !== undefined && leaf.notAfter > clock.now()) await authority.revoke({ raw: leaf.raw, signal });
  }
}
