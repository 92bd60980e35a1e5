/** Columns of the kinds of the group, and their descriptions. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { humanDuration } from '../printing/age.ts';
import { ageOf, nameOf, orNone, type Printer, text } from '../printing/printer.ts';

function requestState({ status }: Fields): string {
  const has = (wanted: string): boolean => listOf(fieldsOf(status).conditions).some(({ type }) => type === wanted);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const issued = fieldsOf(status).certificate === undefined ? '' : ',Issued';
  return `${decision}${has('Failed') ? ',Failed' : ''}${issued}`;
}

const signingRequests: Printer = {
  columns: 'Name|Age|SignerName|Requestor|RequestedDuration|Condition',
  cells(object, ago) {
    const { signerName, username, expirationSeconds } = fieldsOf(object.spec);
    const duration = typeof expirationSeconds === 'number' ? humanDuration(expirationSeconds * 1000) : '<none>';
    return [nameOf(object), ageOf(object, ago), orNone(signerName), text(username), duration, requestState(object)];
  },
};

/** Printers of the kinds of the group, by plural. */
export const certificatesPrinters: Readonly<Record<string, Printer>> = {
  certificatesigningrequests: signingRequests,
};

/** Descriptions of the columns, by `plural Column`. */
export const certificatesColumnTexts: Readonly<Record<string, string>> = {
  'certificatesigningrequests Condition': 'Conditions applied to the request, such as approval or denial.',
  'certificatesigningrequests RequestedDuration':
    'expirationSeconds is the requested duration of validity of the issued certificate. The certificate signer may issue a certificate with a different validity duration so a client must check the delta between the notBefore and and notAfter fields in the issued certificate to determine the actual duration.\n\nThe v1.22+ in-tree implementations of the well-known Kubernetes signers will honor this field as long as the requested duration is not greater than the maximum duration they will honor per the --cluster-signing-duration CLI flag to the Kubernetes controller manager.\n\nCertificate signers may not honor this field for various reasons:\n\n  1. Old signer that is unaware of the field (such as the in-tree\n     implementations prior to v1.22)\n  2. Signer whose configured maximum is shorter than the requested duration\n  3. Signer whose configured minimum is longer than the requested duration\n\nThe minimum valid value for expirationSeconds is 600, i.e. 10 minutes.',
  'certificatesigningrequests Requestor': 'Base64-encoded PKCS#10 CSR data',
  'certificatesigningrequests SignerName':
    'Requested signer for the request. It is a qualified name in the form: `scope-hostname.io/name`. If empty, it will be defaulted:\n 1. If it\'s a kubelet client certificate, it is assigned\n    "kubernetes.io/kube-apiserver-client-kubelet".\n 2. If it\'s a kubelet serving certificate, it is assigned\n    "kubernetes.io/kubelet-serving".\n 3. Otherwise, it is assigned "kubernetes.io/legacy-unknown".\nDistribution of trust for signers happens out of band. You can select on this field using `spec.signerName`.',
};
