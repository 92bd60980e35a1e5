/** Controller that signs approved CertificateSigningRequests. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { Authority } from '../../pki/certificate.ts';
import type { CertificateRequest } from '../../pki/certificate-request.ts';
import { extension } from '../../pki/der.ts';
import { type Decision, type Reconciler, rest } from '../engine/reconciler.ts';
import { askedIn, has, type SigningRequest, signingRequests, withCondition } from './csr.ts';
import { signers } from './signers.ts';
import { usageExtensions } from './usages.ts';

const minute = 60_000;
const hour = 60 * minute;
const maxLength = 8760 * hour;
const shortest = 10 * minute;
const backdate = 5 * minute;
/** Lifetime below which a certificate is not shortened by the backdating, in ms. */
const short = 8 * hour;

/** Returns the lifetime of a certificate: the requested one, within bounds. */
function lifetimeOf({ spec }: SigningRequest): number {
  if (spec.expirationSeconds === undefined) return maxLength;
  return Math.min(maxLength, Math.max(shortest, spec.expirationSeconds * 1000));
}

function certificateFor(request: SigningRequest, asked: CertificateRequest, { authority, now }: Signing): string {
  const { subject, publicKey, alternativeNames, commonName, organizations } = asked;
  const ttl = lifetimeOf(request);
  const isNameless = commonName === '' && organizations.length === 0;
  const more = alternativeNames === undefined ? [] : [extension('2.5.29.17', alternativeNames, isNameless)];
  return authority().certify({
    subject,
    publicKey,
    extensions: [...usageExtensions(request.spec.usages ?? []), ...more],
    from: now - backdate,
    to: now + (ttl < short ? ttl : ttl - backdate),
  });
}

/** Authority and time of signing. */
interface Signing {
  readonly authority: () => Authority;
  readonly now: number;
}

const isSigned = ({ status }: SigningRequest): boolean => (status?.certificate ?? '') !== '';

/** Reports whether a request is approved, and neither answered nor refused. */
const isDue = (request: SigningRequest): boolean =>
  has(request, 'Approved') && !isSigned(request) && !has(request, 'Denied') && !has(request, 'Failed');

function decide(request: SigningRequest, signing: Signing): Decision {
  const verdict = signers[request.spec.signerName];
  if (verdict === undefined || !isDue(request)) return rest;
  const asked = askedIn(request);
  if (asked === undefined) return rest;
  const message = verdict(asked, request.spec.usages ?? []);
  if (message !== undefined) {
    const lastUpdateTime = timestampOf(signing.now);
    const failed = withCondition(request, {
      type: 'Failed',
      reason: 'SignerValidationFailure',
      message,
      lastUpdateTime,
    });
    return { writes: [{ do: 'update', object: failed, subresource: 'status' }] };
  }
  if (!asked.isSigned()) return rest;
  const certificate = btoa(certificateFor(request, asked, signing));
  const object = { ...request, status: { ...request.status, certificate } };
  return { writes: [{ do: 'update', object, subresource: 'status' }] };
}

/** Creates the reconciler that signs approved requests for the built-in signers. */
export const signingReconciler = (authority: () => Authority): Reconciler => ({
  collection: signingRequests,
  component: 'certificate-controller',
  decide: (object, { now }) => decide(object as SigningRequest, { authority, now }),
});
