import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { User } from '../http/message.ts';
import type { TokenClaims } from '../machinery.ts';
import type { ApiObject } from '../objects/object.ts';
import { authenticated, serviceAccountGroups } from './impersonation.ts';

/** Who issues tokens, and the audience of those that do not say for whom they are. */
export const issuer = 'https://kubernetes.default.svc.cluster.local';

/** Signs tokens and reads its own. */
export interface TokenSigner {
  /** A token in force from `now` (ms). */
  sign(claims: TokenClaims, now: number): string;
  /** What a token says; undefined when somebody else has signed it. It may have expired. */
  read(token: string): TokenClaims | undefined;
  /** Its private key, in PEM: a signer with the same key reads its tokens. */
  readonly key: string;
}

interface Payload extends Pick<TokenClaims, 'aud' | 'exp' | 'jti'> {
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
  } & { readonly [kind: string]: unknown };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const algorithm = { dsaEncoding: 'ieee-p1363' } as const;

function payloadOf({ namespace, name, uid, bound, ...claims }: TokenClaims, now: number): object {
  const seconds = Math.floor(now / 1000);
  const object = bound && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } };
  return {
    ...claims,
    iat: seconds,
    nbf: seconds,
    iss: issuer,
    sub: `system:serviceaccount:${namespace}:${name}`,
    'kubernetes.io': { namespace, serviceaccount: { name, uid }, ...object },
  };
}

const boundKinds = ['Pod', 'Secret', 'Node'];

function claimsOf({ aud, exp, jti, 'kubernetes.io': about }: Payload): TokenClaims {
  const kind = boundKinds.find((one) => one.toLowerCase() in about);
  const bound = kind && { kind, ...(about[kind.toLowerCase()] as { name: string; uid: string }) };
  const { namespace, serviceaccount } = about;
  return { aud, exp, jti, namespace, ...serviceaccount, ...(bound && { bound }) };
}

/** A signer (ES256) with the key given, or with one of its own. */
export function createTokenSigner(key?: string): TokenSigner {
  const privateKey =
    key === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(key);
  const publicKey: KeyObject = createPublicKey(privateKey);
  const header = encode({ alg: 'ES256', kid: 'in-memory' });
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    sign(claims, now) {
      const text = `${header}.${encode(payloadOf(claims, now))}`;
      return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, ...algorithm }).toString('base64url')}`;
    },
    read(token) {
      const [first, payload, signature] = token.split('.');
      if (first !== header || payload === undefined || signature === undefined) return undefined;
      const text = Buffer.from(`${first}.${payload}`);
      const isOurs = verify('sha256', text, { key: publicKey, ...algorithm }, Buffer.from(signature, 'base64url'));
      return isOurs ? claimsOf(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload) : undefined;
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

/** Who a token stands for: undefined once it has expired, is meant for others, or its service account or the object it is bound to are gone. */
export function userOfClaims(claims: TokenClaims, { now, audiences, find }: TokenChecks): User | undefined {
  const { namespace, name, uid, bound } = claims;
  if (claims.exp * 1000 <= now || !claims.aud.some((one) => audiences.includes(one))) return undefined;
  if (find('ServiceAccount', namespace, name)?.metadata.uid !== uid) return undefined;
  const isThere = bound === undefined || find(bound.kind, namespace, bound.name)?.metadata.uid === bound.uid;
  if (!isThere) return undefined;
  const pod = bound?.kind === 'Pod' ? bound : undefined;
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: [...serviceAccountGroups(namespace), authenticated],
    extra: {
      'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`],
      ...(pod && {
        'authentication.kubernetes.io/pod-name': [pod.name],
        'authentication.kubernetes.io/pod-uid': [pod.uid],
      }),
    },
  };
}
