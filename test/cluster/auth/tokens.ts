import type { User } from '../http/message.ts';
import type { Tokens } from '../machinery.ts';
import type { ApiObject } from '../objects/object.ts';
import type { Registry } from '../registry.ts';
import { storeKeyOf } from '../registry.ts';
import type { Store } from '../store.ts';
import type { Keys } from './keys.ts';

/** What tokens are checked against. */
export interface TokenSources {
  readonly store: Store;
  readonly registry: Registry;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Tokens that always hold. */
  readonly fixed: Readonly<Record<string, User>>;
  readonly keys: Keys;
}

/** The tokens of one cluster: those it was given, and those that its service accounts ask for. */
export function createTokens({ store, registry, now, fixed, keys }: TokenSources): Tokens {
  const find = (kind: string, namespace: string, name: string): ApiObject | undefined => {
    const resource = registry.ofKind({ apiVersion: 'v1', kind });
    return (
      resource && store.get(resource.collection, storeKeyOf(resource.info.namespaced ? namespace : undefined, name))
    );
  };
  const read = async (token: string, audiences?: readonly string[]): Promise<User | undefined> => {
    const signer = await keys.knownSigner();
    if (signer === undefined) return undefined;
    const { userOfClaims, issuer } = await import('./service-account-tokens.ts');
    const claims = signer.read(token);
    return claims && userOfClaims(claims, { now: now(), audiences: audiences ?? [issuer], find });
  };
  return {
    userOf: (token, audiences) => (Object.hasOwn(fixed, token) ? fixed[token] : read(token, audiences)),
    async issue(claims) {
      return (await keys.signer()).sign(claims, now());
    },
  };
}
