import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { User } from '../http/message.ts';
import type { TokenClaims, TokenVerdict } from '../machinery.ts';
import type { ApiObject } from '../objects/object.ts';
import { authenticated, serviceAccountGroups } from './impersonation.ts';

/** Signs tokens and reads its own. */
export interface TokenSigner {
  /** A token in force from `now` (ms). */
  sign(claims: TokenClaims, by: { readonly issuer: string; readonly now: number }): string;
  /** What a token says; undefined when somebody else has made it, and an error when it was changed since. It may have expired. */
  read(token: string): TokenClaims | { readonly error: string } | undefined;
  /** Its private key, in PEM: a signer with the same key reads its tokens. */
  readonly key: string;
  /** What its tokens are verified by, as a JSON Web Key. */
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

/** A signer (ES256) with the key given, or with one of its own. */
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

/** What is needed to see whether a token still holds. */
export interface TokenChecks {
  /** ms since the epoch. */
  readonly now: number;
  /** For whom the token must be. */
  readonly audiences: readonly string[];
  /** The current object of a core kind. */
  readonly find: (kind: string, namespace: string, name: string) => ApiObject | undefined;
}

const goList = (texts: readonly string[]): string => `[${texts.map((one) => JSON.stringify(one)).join(' ')}]`;

/** Why a token does not hold, in the server's words; undefined when it does. */
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

/** Who a token stands for, and to whom of those asked about; or why it does not hold: it has expired, is meant for others, or its service account or the object it is bound to are gone. */
export function judged(claims: TokenClaims, checks: TokenChecks): TokenVerdict {
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
