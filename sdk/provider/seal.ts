import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What is known of a signature: `unknown` when it was made with a key that is not among ours. */
export type Verification = 'valid' | 'invalid' | 'unknown';

/**
 * Signs what the operator keeps in metadata, where whoever may write the object may write anything: only a signature tells its own records from others'.
 * The keys stand in a Secret that only the operator reads, see {@link loadSeal}.
 */
export interface Seal {
  /** uid of the namespace kube-system, which tells this cluster from every other; empty where it may not be read. */
  readonly cluster: string;
  /** HMAC-SHA-256 of the text under the newest key, as `<key id>.<base64url>`; undefined without a key. */
  sign(text: string): string | undefined;
  verify(text: string, signature: string): Verification;
}

/** A key of at least 32 random bytes. */
interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

const idOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

const macOf = ({ bytes }: Key, text: string): string => createHmac('sha256', bytes).update(text).digest('base64url');

/**
 * A seal over these keys: the last one signs, all of them verify, so that a key is replaced by adding one.
 * Without keys nothing is signed, and every signature is of an unknown key.
 */
export function createSeal(cluster: string, secrets: readonly Uint8Array[]): Seal {
  const keys = secrets.map((bytes): Key => ({ id: idOf(bytes), bytes }));
  const newest = keys.at(-1);
  return {
    cluster,
    sign: (text) => newest && `${newest.id}.${macOf(newest, text)}`,
    verify(text, signature) {
      const [id, mac = ''] = signature.split('.', 2);
      const key = keys.find((one) => one.id === id);
      if (key === undefined) return 'unknown';
      const [expected, found] = [Buffer.from(macOf(key, text)), Buffer.from(mac)];
      return expected.length === found.length && timingSafeEqual(expected, found) ? 'valid' : 'invalid';
    },
  };
}

/** Signs nothing and believes nothing. */
export const noSeal: Seal = createSeal('', []);
