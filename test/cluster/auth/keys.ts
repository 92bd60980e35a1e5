import { type Authority, createAuthority } from '../http/certificate.ts';
import type { TokenSigner } from './service-account-tokens.ts';

/** The secrets of a cluster, each made when it is first needed. Its forks have the same. */
export interface Keys {
  /** Who vouches for its server and for client certificates. */
  authority(): Authority;
  /** Signs tokens of service accounts. */
  signer(): Promise<TokenSigner>;
  /** The signer, unless no token was ever signed. */
  knownSigner(): Promise<TokenSigner> | undefined;
  /** Takes another cluster's key, in PEM, for tokens: they hold here from now on, and none before. */
  signBy(key: string): void;
}

const load = () => import('./service-account-tokens.ts');

/** New secrets; certificates are in force from `now` (ms since the epoch) on. With `from` they are those of another cluster. */
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
