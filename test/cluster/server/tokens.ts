/** Bearer tokens, as the server issues and verifies them. */

import type { User } from '../requests/message.ts';

/** Claims of a service account token. */
export interface TokenClaims {
  readonly aud: readonly string[];
  /** Expiry in seconds since the epoch. */
  readonly exp: number;
  /** Id of the token. */
  readonly jti: string;
  readonly namespace: string;
  readonly name: string;
  /** UID of the service account. */
  readonly uid: string;
  /** Object that the token is bound to; it is valid while that object exists. */
  readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** Node of the pod that the token is bound to. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** User and audiences of a valid token, or the server's reason why it is invalid. */
export type TokenVerdict = { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string };

/** Issues and verifies bearer tokens. */
export interface Tokens {
  /** Issuer of service account tokens, and their default audience. */
  readonly issuer: string;
  /** Returns the user of a token valid for the API server; undefined for any other token. */
  userOf(token: string): User | undefined | Promise<User | undefined>;
  /** Verifies a token for any of these audiences. @default the API server */
  review(token: string, audiences?: readonly string[]): Promise<TokenVerdict>;
  /** Issues a token for a service account. */
  issue(claims: TokenClaims): Promise<string>;
  /** Public key of the issued tokens, as a JSON Web Key. */
  publicKey(): Promise<object>;
}
