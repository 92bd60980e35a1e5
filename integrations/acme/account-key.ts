/** Key of an ACME account: signed requests (RFC 8555, section 6.2), external account binding, and texts of challenges. */

import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** Request as JSON Web Signature. */
export interface SignedBody {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** Members of a request's signed header. */
export interface SignedHeader {
  readonly url: string;
  readonly nonce: string;
  /** URL of the account; absent where the key itself identifies the account. */
  readonly kid?: string | undefined;
}

/** Private key of an account. */
export interface AccountKey {
  /** Signs a request; without a payload it only reads. */
  signed(header: SignedHeader, payload: object | undefined): SignedBody;
  /** Returns the external account binding of this account (RFC 8555, section 7.3.4). */
  bound(account: ExternalAccount, url: string): SignedBody;
  /** Returns the key authorization of a token (RFC 8555, section 8.1), which answers a challenge over HTTP. */
  authorization(token: string): string;
  /** Returns the TXT record that answers a challenge with this token. */
  challengeText(token: string): string;
}

/** Account that the authority has given out in another way, for external account binding. */
export interface ExternalAccount {
  readonly kid: string;
  /** Key in base64url. */
  readonly hmacKey: string;
}

const encoded = (value: object | undefined): string =>
  value === undefined ? '' : Buffer.from(JSON.stringify(value)).toString('base64url');

const algorithms: Readonly<Record<string, { readonly alg: string; readonly hash: string }>> = {
  'P-256': { alg: 'ES256', hash: 'sha256' },
  'P-384': { alg: 'ES384', hash: 'sha384' },
  RSA: { alg: 'RS256', hash: 'sha256' },
};

const smallestRsa = 2_048;

function parsedKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Returns the account of a key; undefined unless it is a private key as PEM: P-256, P-384 or RSA of 2048 bits or more. */
export function accountKeyOf(pem: string): AccountKey | undefined {
  const key = parsedKey(pem);
  const { kty, crv, x, y, e, n } = key === undefined ? {} : createPublicKey(key).export({ format: 'jwk' });
  const algorithm = algorithms[crv ?? kty ?? ''];
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? smallestRsa;
  if (key === undefined || algorithm === undefined || bits < smallestRsa) return undefined;
  const { alg, hash } = algorithm;
  const jwk = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y }; // in the order of RFC 7638
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
  const authorization = (token: string): string => `${token}.${thumbprint}`;
  return {
    authorization,
    signed({ url, nonce, kid }, content) {
      const header = encoded({ alg, ...(kid === undefined ? { jwk } : { kid }), nonce, url });
      const payload = encoded(content);
      const signature = sign(hash, Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' });
      return { protected: header, payload, signature: signature.toString('base64url') };
    },
    bound({ kid, hmacKey }, url) {
      const header = encoded({ alg: 'HS256', kid, url });
      const payload = encoded(jwk);
      const mac = createHmac('sha256', Buffer.from(hmacKey, 'base64url')).update(`${header}.${payload}`);
      return { protected: header, payload, signature: mac.digest('base64url') };
    },
    challengeText: (token) => createHash('sha256').update(authorization(token)).digest('base64url'),
  };
}
