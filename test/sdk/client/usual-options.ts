import type { Connection } from '../../../sdk/client/connection.ts';

type CredentialOptions = Parameters<Connection['credentials']>[0];

/** What an outside call of a credential source takes when nothing was refused before. */
export const usual: CredentialOptions = { renew: false, signal: new AbortController().signal };
/** The same after a 401. */
export const renewed: CredentialOptions = { ...usual, renew: true };
