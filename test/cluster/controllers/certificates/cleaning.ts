import { X509Certificate } from 'node:crypto';
import type { Decision, Reconciler } from '../reconciler.ts';
import { type SigningRequest, signingRequests } from './signing-request.ts';

const hour = 3_600_000;
const day = 24 * hour;

const endOf = (certificate: string): number => {
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/** When a request is of no use any more. */
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

/** Deletes requests that nobody will look at: an hour after they were decided, a day after they were made. */
export const cleaningReconciler: Reconciler = {
  collection: signingRequests,
  component: 'certificate-controller',
  decide: (object, { now }) => decide(object as SigningRequest, now),
};
