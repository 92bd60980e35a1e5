/** Bearer tokens of a cluster. */

import type { ApiObject } from '../apimachinery/object.ts';
import type { User } from '../requests/message.ts';
import type { Registry } from '../resources/registry.ts';
import { storeKeyOf } from '../resources/registry.ts';
import type { Tokens } from '../server/tokens.ts';
import type { Store } from '../storage/store.ts';
import type { Keys } from './keys.ts';

/** Sources of known tokens. */
export interface TokenSources {
  readonly store: Store;
  readonly registry: Registry;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  /** Static tokens, with their users. */
  readonly fixed: Readonly<Record<string, User>>;
  readonly keys: Keys;
  /** Issuer, and default audience of tokens. */
  readonly issuer: string;
}

/** Creates the token authenticator: static tokens and service account tokens. */
export function createTokens({ store, registry, now, fixed, keys, issuer }: TokenSources): Tokens {
  const find = (kind: string, namespace: string, name: string): ApiObject | undefined => {
    const resource = registry.ofKind({ apiVersion: 'v1', kind });
    return (
      resource && store.get(resource.collection, storeKeyOf(resource.info.namespaced ? namespace : undefined, name))
    );
  };
  const review: Tokens['review'] = async (token, audiences) => {
    const error = 'invalid bearer token';
    const { validateClaims } = await import('./service-account-tokens.ts');
    const wanted = audiences ?? [issuer];
    const user = Object.hasOwn(fixed, token) ? fixed[token] : undefined;
    if (user !== undefined) return wanted.includes(issuer) ? { user, audiences: [issuer] } : { error };
    const claims = (await keys.knownSigner())?.read(token);
    if (claims === undefined) return { error };
    const verdict = 'error' in claims ? claims : validateClaims(claims, { now: now(), audiences: wanted, find });
    return 'error' in verdict ? { error: `[${error}, ${verdict.error}]` } : verdict;
  };
  const read = async (token: string): Promise<User | undefined> => {
    if ((await keys.knownSigner()) === undefined) return undefined;
    const verdict = await review(token);
    return 'user' in verdict ? verdict.user : undefined;
  };
  return {
    issuer,
    userOf: (token) => (Object.hasOwn(fixed, token) ? fixed[token] : read(token)),
    review,
    async issue(claims) {
      return (await keys.signer()).sign(claims, { issuer, now: now() });
    },
    publicKey: async () => (await keys.signer()).publicKey,
  };
}
