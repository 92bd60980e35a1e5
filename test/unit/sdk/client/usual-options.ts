/** Options for calls of credential sources. */

import type { Connection } from '../../../../sdk/client/config/connection.ts';

type CredentialOptions = Parameters<Connection['credentials']>[0];

/** Options of a credential source's call when no request was refused before. */
export const usual: CredentialOptions = { renew: false, signal: new AbortController().signal };
/** The same after a 401. */
export const renewed: CredentialOptions = { ...usual, renew: true };
