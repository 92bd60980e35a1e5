/** Controller that approves certificate requests of kubelets. */

import type { Authorizer } from '../../server/authorizer.ts';
import { type Decision, type Reconciler, rest } from '../engine/reconciler.ts';
import { askedIn, has, type SigningRequest, signingRequests, withCondition } from './csr.ts';
import { kubeletClient, kubeletClientFault } from './signers.ts';

/** Subresources to authorize, with the approval message: renewal by the kubelet itself, and first certificate. */
const recognized = [
  ['selfnodeclient', 'Auto approving self kubelet client certificate after SubjectAccessReview.'],
  ['nodeclient', 'Auto approving kubelet client certificate after SubjectAccessReview.'],
] as const;

/** Reports whether a request was approved, denied or answered. */
const isDecided = (request: SigningRequest): boolean =>
  (request.status?.certificate ?? '') !== '' || has(request, 'Approved') || has(request, 'Denied');

/** Reports whether the user of a request may create a subresource of signing requests. */
function isAuthorized({ spec }: SigningRequest, authorizer: Authorizer, subresource: string): boolean {
  if (authorizer.isOpen) return true;
  const { username = '', groups = [], uid, extra } = spec;
  const user = { name: username, groups, ...(uid !== undefined && { uid }), ...(extra && { extra }) };
  const action = { verb: 'create', group: 'certificates.k8s.io', resource: 'certificatesigningrequests', subresource };
  return authorizer.decide(user, action).allowed;
}

function decide(request: SigningRequest, authorizer: Authorizer): Decision {
  const { signerName, usages = [], username = '' } = request.spec;
  if (signerName !== kubeletClient || isDecided(request)) return rest;
  const asked = askedIn(request);
  if (asked === undefined || kubeletClientFault(asked, usages) !== undefined) return rest;
  const isOwn = username === asked.commonName;
  const found = recognized.find(
    ([subresource]) => (isOwn || subresource !== 'selfnodeclient') && isAuthorized(request, authorizer, subresource),
  );
  if (found === undefined) return rest;
  const object = withCondition(request, { type: 'Approved', reason: 'AutoApproved', message: found[1] });
  return { writes: [{ do: 'update', object, subresource: 'approval' }] };
}

/** Creates the reconciler that approves client certificates of kubelets. */
export const approvingReconciler = (authorizer: Authorizer): Reconciler => ({
  collection: signingRequests,
  component: 'certificate-controller',
  decide: (object) => decide(object as SigningRequest, authorizer),
});
