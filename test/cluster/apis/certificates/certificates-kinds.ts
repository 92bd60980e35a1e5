/** Rules of the kinds of `certificates.k8s.io`. */

import { isPathSegment } from '../../apimachinery/names.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { signingRequest } from './csr-checks.ts';

/** Rules of the kinds of `certificates.k8s.io`, by type. */
export const certificatesKinds: Readonly<Record<string, BuiltinKind>> = {
  'certificates.CertificateSigningRequest': { checkName: isPathSegment, check: signingRequest },
};
