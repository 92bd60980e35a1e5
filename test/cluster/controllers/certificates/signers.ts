/** Policies of the built-in certificate signers. */

import type { CertificateRequest } from '../../pki/certificate-request.ts';

/** Returns the signer's reason to refuse a request; undefined if it signs. */
type SignerDecision = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** Signer of kubelets' client certificates. */
export const kubeletClient = 'kubernetes.io/kube-apiserver-client-kubelet';

const isSame = (usages: readonly string[], wanted: readonly string[]): boolean =>
  usages.length === wanted.length && wanted.every((usage) => usages.includes(usage));

/** Checks usages; key encipherment is optional, as keys other than RSA cannot encipher. */
function usageFault(usages: readonly string[], role: string): string | undefined {
  const all = ['digital signature', 'key encipherment', role];
  const isFine = isSame(usages, all) || isSame(usages, ['digital signature', role]);
  return isFine ? undefined : `usages did not match [${all.toSorted().join(' ')}]`;
}

const ofNodes = ({ organizations }: CertificateRequest): boolean =>
  organizations.length === 1 && organizations[0] === 'system:nodes';
const noNodes = 'subject organization is not system:nodes';
const nameFault = ({ commonName }: CertificateRequest): string | undefined =>
  commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';

const serving: SignerDecision = (request, usages) => {
  const { dns, ip, email, uri } = request.names;
  if (!ofNodes(request)) return noNodes;
  if (dns + ip === 0) return 'DNS or IP subjectAltName is required';
  if (email > 0) return 'Email subjectAltNames are not allowed';
  if (uri > 0) return 'URI subjectAltNames are not allowed';
  return usageFault(usages, 'server auth') ?? nameFault(request);
};

/** Returns the fault of a kubelet's request for a client certificate, if any. */
export const kubeletClientFault: SignerDecision = (request, usages) => {
  const { dns, email, ip, uri } = request.names;
  if (!ofNodes(request)) return noNodes;
  if (dns > 0) return 'DNS subjectAltNames are not allowed';
  if (email > 0) return 'Email subjectAltNames are not allowed';
  if (ip > 0) return 'IP subjectAltNames are not allowed';
  if (uri > 0) return 'URI subjectAltNames are not allowed';
  return nameFault(request) ?? usageFault(usages, 'client auth');
};

const client: SignerDecision = (_request, usages) => {
  const known = ['digital signature', 'key encipherment', 'client auth'];
  const wrong = usages.find((usage) => !known.includes(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
};

/** Checks of each signer. */
export const signers: Readonly<Record<string, SignerDecision>> = {
  'kubernetes.io/kube-apiserver-client': client,
  [kubeletClient]: kubeletClientFault,
  'kubernetes.io/kubelet-serving': serving,
  'kubernetes.io/legacy-unknown': () => undefined,
};
