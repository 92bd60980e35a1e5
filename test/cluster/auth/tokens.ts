import type { User } from '../http/message.ts';
import type { Tokens } from '../machinery.ts';
import type { ApiObject } from '../objects/object.ts';
import type { Registry } from '../registry.ts';
import { storeKeyOf } from '../registry.ts';
import type { Store } from '../store.ts';
import type { TokenSigner } from './service-account-tokens.ts';

/** What tokens are checked against. */
export interface TokenSources {
  readonly store: Store;
  readonly registry: Registry;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Tokens that always hold. */
  readonly fixed: Readonly<Record<string, User>>;
}

/** The tokens of one cluster: those it was given, and those that its service accounts ask for. */
export function createTokens({ store, registry, now, fixed }: TokenSources): Tokens {
  let signer: Promise<TokenSigner> | undefined;
  const load = () => import('./service-account-tokens.ts');
  const ownSigner = (): Promise<TokenSigner> => {
    signer ??= load().then(({ createTokenSigner }) => createTokenSigner());
    return signer;
  };
  const find = (kind: string, namespace: string, name: string): ApiObject | undefined => {
    const resource = registry.ofKind({ apiVersion: 'v1', kind });
    return (
      resource && store.get(resource.collection, storeKeyOf(resource.info.namespaced ? namespace : undefined, name))
    );
  };
  const read = async (token: string, audiences?: readonly string[]): Promise<User | undefined> => {
    if (signer === undefined) return undefined;
    const [claims, { userOfClaims, issuer }] = [(await signer).read(token), await load()];
    return claims && userOfClaims(claims, { now: now(), audiences: audiences ?? [issuer], find });
  };
  return {
    userOf: (token, audiences) => (Object.hasOwn(fixed, token) ? fixed[token] : read(token, audiences)),
    async issue(claims) {
      return (await ownSigner()).sign(claims, now());
    },
  };
}
