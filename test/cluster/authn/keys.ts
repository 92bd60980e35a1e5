/** Private keys of a cluster. */

import { type Authority, createAuthority } from '../pki/certificate.ts';
import type { TokenSigner } from './service-account-tokens.ts';

/** Private keys of a cluster, each created on first use and shared with its forks. */
export interface Keys {
  /** Returns the authority of server and client certificates. */
  authority(): Authority;
  /** Returns the signer of service account tokens. */
  signer(): Promise<TokenSigner>;
  /** Returns the signer if one exists. */
  knownSigner(): Promise<TokenSigner> | undefined;
  /** Uses another cluster's token key, in PEM: its tokens become valid, earlier ones invalid. */
  signBy(key: string): void;
}

const load = () => import('./service-account-tokens.ts');

/** Creates keys; certificates are valid from `now` (ms since the epoch). With `from` they are shared with another cluster. */
export function createKeys(now: () => number, from?: Keys): Keys {
  let authority: Authority | undefined;
  let signer: Promise<TokenSigner> | undefined = from?.knownSigner();
  return {
    authority() {
      authority ??= from?.authority() ?? createAuthority(now());
      return authority;
    },
    signer() {
      signer ??= load().then(({ createTokenSigner }) => createTokenSigner());
      return signer;
    },
    knownSigner: () => signer,
    signBy(key) {
      signer = load().then(({ createTokenSigner }) => createTokenSigner(key));
    },
  };
}
