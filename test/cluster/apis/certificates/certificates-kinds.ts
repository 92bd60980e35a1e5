/** Rules of the kinds of `certificates.k8s.io`. */

import { isPathSegment } from '../../apimachinery/name-validation.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { signingRequest } from './csr-validation.ts';

/** Rules of the kinds of `certificates.k8s.io`, by type. */
export const certificatesKinds: Readonly<Record<string, BuiltinKind>> = {
  'certificates.CertificateSigningRequest': { checkName: isPathSegment, check: signingRequest },
};
