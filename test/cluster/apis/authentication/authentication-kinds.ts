/** Rules of the kinds of `authentication.k8s.io`. */

import type { BuiltinKind } from '../builtin-kind.ts';

/** Rules of the kinds of `authentication.k8s.io`, by type. */
export const authenticationKinds: Readonly<Record<string, BuiltinKind>> = {
  'authentication.TokenRequest': { values: { 'authentication.TokenRequestSpec': { expirationSeconds: 3600 } } },
};
