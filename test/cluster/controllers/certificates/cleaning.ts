/** Controller that deletes old CertificateSigningRequests. */

import { X509Certificate } from 'node:crypto';
import type { Decision, Reconciler } from '../engine/reconciler.ts';
import { type SigningRequest, signingRequests } from './csr.ts';

const hour = 3_600_000;
const day = 24 * hour;

const endOf = (certificate: string): number => {
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/** Returns the time at which a request is deleted, in ms since the epoch. */
function deadlineOf({ metadata, status }: SigningRequest): number {
  const { conditions = [], certificate = '' } = status ?? {};
  if (conditions.length === 0) return Date.parse(metadata.creationTimestamp ?? '') + day;
  const isIssued = certificate !== '';
  const ends = conditions.map(({ type, lastUpdateTime }) => {
    const isDecided = type === 'Denied' || type === 'Failed' || (type === 'Approved' && isIssued);
    return isDecided ? Date.parse(String(lastUpdateTime)) + hour : Number.POSITIVE_INFINITY;
  });
  return Math.min(...ends, isIssued ? endOf(certificate) : Number.POSITIVE_INFINITY);
}

function decide(request: SigningRequest, now: number): Decision {
  const left = deadlineOf(request) - now;
  if (!Number.isFinite(left)) return { writes: [] };
  return left > 0 ? { writes: [], after: left } : { writes: [{ do: 'delete', object: request }] };
}

/** Deletes signing requests an hour after their decision, a day after creation if undecided, and when their certificate expires. */
export const cleaningReconciler: Reconciler = {
  collection: signingRequests,
  component: 'certificate-controller',
  decide: (object, { now }) => decide(object as SigningRequest, now),
};
