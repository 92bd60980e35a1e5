/** Signs the operator's records in metadata. */

import type { KeyObject } from 'node:crypto';
import { nodeCrypto } from '../../node-builtins.ts';

/** Result of a verification: `unknown` for a signature with an unknown key. */
export type Verification = 'valid' | 'invalid' | 'unknown';

/**
 * Signs records in metadata, where any user who can write the object can write anything: only the signature distinguishes the operator's own records.
 * The keys are in a Secret that only the operator reads, see {@link loadSeal}.
 */
export interface Seal {
  /** Uid of the namespace kube-system, which identifies the cluster; empty if it may not be read. */
  readonly cluster: string;
  /** Returns the HMAC-SHA-256 of the text under the newest key, as `<key id>.<base64url>`; undefined without a key. */
  sign(text: string): string | undefined;
  verify(text: string, signature: string): Verification;
}

/** Key of at least 32 random bytes. */
interface Key {
  readonly id: string;
  readonly secret: KeyObject;
}

const idOf = (bytes: Uint8Array): string => nodeCrypto().createHash('sha256').update(bytes).digest('hex').slice(0, 8);

const macOf = ({ secret }: Key, text: string): string =>
  nodeCrypto().createHmac('sha256', secret).update(text).digest('base64url');

/**
 * Creates a seal with these keys: the last one signs, all of them verify, so that keys are rotated by adding one.
 * Without keys nothing is signed, and each signature is of an unknown key.
 */
export function createSeal(cluster: string, secrets: readonly Uint8Array[]): Seal {
  const keys = secrets.map((bytes): Key => ({ id: idOf(bytes), secret: nodeCrypto().createSecretKey(bytes) }));
  const newest = keys.at(-1);
  return {
    cluster,
    sign: (text) => newest && `${newest.id}.${macOf(newest, text)}`,
    verify(text, signature) {
      const [id, mac = ''] = signature.split('.', 2);
      const key = keys.find((one) => one.id === id);
      if (key === undefined) return 'unknown';
      const [expected, found] = [Buffer.from(macOf(key, text)), Buffer.from(mac)];
      return expected.length === found.length && nodeCrypto().timingSafeEqual(expected, found) ? 'valid' : 'invalid';
    },
  };
}

/** Seal without keys: signs nothing and trusts nothing. */
export const noSeal: Seal = createSeal('', []);
