/** Service account tokens: JWTs signed with ES256. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { ApiObject } from '../apimachinery/object.ts';
import type { User } from '../requests/message.ts';
import type { TokenClaims, TokenVerdict } from '../server/tokens.ts';
import { authenticated, serviceAccountGroups } from './impersonation.ts';

/** Signs tokens and verifies their signature. */
export interface TokenSigner {
  /** Signs a token that is valid from `now` (ms). */
  sign(claims: TokenClaims, by: { readonly issuer: string; readonly now: number }): string;
  /** Returns the claims of a token, possibly expired; undefined for another issuer's token, an error for an invalid signature. */
  read(token: string): TokenClaims | { readonly error: string } | undefined;
  /** Private key, in PEM; a signer with the same key accepts the same tokens. */
  readonly key: string;
  /** Public key, as a JSON Web Key. */
  readonly publicKey: object;
}

interface Payload extends Pick<TokenClaims, 'aud' | 'exp' | 'jti'> {
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
  } & { readonly [kind: string]: unknown };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const algorithm = { dsaEncoding: 'ieee-p1363' } as const;

type By = Parameters<TokenSigner['sign']>[1];

function payloadOf({ namespace, name, uid, bound, node, ...claims }: TokenClaims, { issuer, now }: By): object {
  const seconds = Math.floor(now / 1000);
  const object = bound && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } };
  return {
    ...claims,
    iat: seconds,
    nbf: seconds,
    iss: issuer,
    sub: `system:serviceaccount:${namespace}:${name}`,
    'kubernetes.io': { namespace, serviceaccount: { name, uid }, ...object, ...(node && { node }) },
  };
}

/** Kinds of objects that a token may be bound to. */
export const boundKinds = ['Pod', 'Secret', 'Node'];

function claimsOf({ aud, exp, jti, 'kubernetes.io': about }: Payload): TokenClaims {
  const kind = boundKinds.find((one) => one.toLowerCase() in about);
  const bound = kind && { kind, ...(about[kind.toLowerCase()] as { name: string; uid: string }) };
  const { namespace, serviceaccount, node } = about;
  const isElsewhere = kind === 'Pod' && node !== undefined;
  return {
    ...{ aud, exp, jti, namespace, ...serviceaccount },
    ...(bound && { bound }),
    ...(isElsewhere && { node: node as NonNullable<TokenClaims['node']> }),
  };
}

/** Creates a signer (ES256) with the given key, or a new one. */
export function createTokenSigner(key?: string): TokenSigner {
  const privateKey =
    key === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(key);
  const publicKey: KeyObject = createPublicKey(privateKey);
  const kind = { alg: 'ES256', kid: 'in-memory' };
  const header = encode(kind);
  return {
    publicKey: { use: 'sig', ...kind, ...publicKey.export({ format: 'jwk' }) },
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    sign(claims, by) {
      const text = `${header}.${encode(payloadOf(claims, by))}`;
      return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, ...algorithm }).toString('base64url')}`;
    },
    read(token) {
      const [first, payload, signature] = token.split('.');
      if (first !== header || payload === undefined || signature === undefined) return undefined;
      const text = Buffer.from(`${first}.${payload}`);
      const isOurs = verify('sha256', text, { key: publicKey, ...algorithm }, Buffer.from(signature, 'base64url'));
      if (!isOurs) return { error: 'go-jose/go-jose: error in cryptographic primitive' };
      return claimsOf(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload);
    },
  };
}

/** Facts that a token is validated against. */
export interface TokenChecks {
  /** Current time in ms since the epoch. */
  readonly now: number;
  /** Accepted audiences. */
  readonly audiences: readonly string[];
  /** Returns the current object of a core kind. */
  readonly find: (kind: string, namespace: string, name: string) => ApiObject | undefined;
}

const goList = (texts: readonly string[]): string => `[${texts.map((one) => JSON.stringify(one)).join(' ')}]`;

/** Returns the server's reason why a token is invalid, if any. */
function faultOf(claims: TokenClaims, { now, audiences, find }: TokenChecks): string | undefined {
  const { aud, exp, namespace, name, uid, bound } = claims;
  if (!aud.some((one) => audiences.includes(one))) {
    return `token audiences ${goList(aud)} is invalid for the target audiences ${goList(audiences)}`;
  }
  if (exp * 1000 <= now) return 'service account token has expired';
  const account = find('ServiceAccount', namespace, name)?.metadata;
  if (account === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
  if (account.uid !== uid) return `service account UID (${account.uid}) does not match claim (${uid})`;
  if (bound === undefined) return undefined;
  const object = find(bound.kind, namespace, bound.name)?.metadata;
  if (object === undefined) return 'service account token has been invalidated';
  if (object.uid === bound.uid) return undefined;
  const which = bound.kind.toLowerCase();
  return `${which} UID (${object.uid}) does not match service account ${which} ref claim (${bound.uid})`;
}

const about = 'authentication.kubernetes.io';

function extraOf({ jti, bound, node }: TokenClaims): Record<string, readonly string[]> {
  const pod = bound?.kind === 'Pod' ? bound : undefined;
  const where = bound?.kind === 'Node' ? bound : node;
  return {
    [`${about}/credential-id`]: [`JTI=${jti}`],
    ...(where && { [`${about}/node-name`]: [where.name] }),
    ...(where?.uid && { [`${about}/node-uid`]: [where.uid] }),
    ...(pod && { [`${about}/pod-name`]: [pod.name], [`${about}/pod-uid`]: [pod.uid] }),
  };
}

/** Validates claims: returns user and matching audiences, or the reason of failure: expired, other audience, service account or bound object gone. */
export function validateClaims(claims: TokenClaims, checks: TokenChecks): TokenVerdict {
  const error = faultOf(claims, checks);
  if (error !== undefined) return { error };
  const { namespace, name, uid, aud } = claims;
  const user: User = {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: [...serviceAccountGroups(namespace), authenticated],
    extra: extraOf(claims),
  };
  return { user, audiences: checks.audiences.filter((one) => aud.includes(one)) };
}
