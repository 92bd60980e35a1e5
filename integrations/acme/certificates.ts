/** Private keys, certificate signing requests and X.509 certificates of servers. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';

const tags = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31, dnsName: 0x82 };

/** Encodes a value in DER; contents of this file have fewer than 64 Ki bytes. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const long = length > 0xff ? [0x82, length >> 8, length & 0xff] : [0x81, length];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), body]);
}

/** Object identifiers, encoded. */
const oids = {
  ecdsaWithSha256: Buffer.from('2a8648ce3d040302', 'hex'),
  extensionRequest: Buffer.from('2a864886f70d01090e', 'hex'),
  subjectAltName: Buffer.from('551d11', 'hex'),
  authorityKeyIdentifier: Buffer.from('551d23', 'hex'),
};

const oid = (bytes: Buffer): Buffer => der(tags.oid, bytes);
const bits = (bytes: Buffer): Buffer => der(tags.bits, Buffer.from([0]), bytes);

function keyIn(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Creates a private key (P-256), as PEM. */
export const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Reports whether a text is a private key in the format of {@link newKey}. */
export const isKey = (pem: string): boolean => keyIn(pem) !== undefined;

/** Returns a certificate request (PKCS #10, in base64url) for these DNS names: with an empty subject, signed by the key. */
export function certificateRequest(keyPem: string, names: readonly string[]): string {
  const key = createPrivateKey(keyPem);
  const altNames = der(tags.sequence, ...names.map((name) => der(tags.dnsName, Buffer.from(name, 'ascii'))));
  const extension = der(tags.sequence, oid(oids.subjectAltName), der(tags.octets, altNames));
  const attribute = der(tags.sequence, oid(oids.extensionRequest), der(tags.set, der(tags.sequence, extension)));
  const info = der(
    tags.sequence,
    der(tags.integer, Buffer.from([0])),
    der(tags.sequence),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(0xa0, attribute),
  );
  const algorithm = der(tags.sequence, oid(oids.ecdsaWithSha256));
  return der(tags.sequence, info, algorithm, bits(sign('sha256', info, key))).toString('base64url');
}

/** Server certificate, the first of a chain. */
export interface LeafCertificate {
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
  /** Validity in ms since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** DER in base64url. */
  readonly raw: string;
  /** Id for renewal information (RFC 9773); undefined when the certificate does not name its authority's key. */
  readonly renewalId: string | undefined;
  /** Reports whether it is the certificate of this private key. */
  isOf(keyPem: string): boolean;
}

/** Returns the DER value at an offset; undefined without one. */
function valueAt(
  bytes: Buffer,
  at: number,
): { readonly tag: number; readonly content: Buffer; readonly end: number } | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  const extra = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + extra;
  if (extra > 4 || start > bytes.length) return undefined;
  const end = start + (extra === 0 ? first : bytes.readUIntBE(at + 2, extra));
  return end > bytes.length ? undefined : { tag: bytes[at]!, content: bytes.subarray(start, end), end };
}

const valuesIn = function* (bytes: Buffer) {
  for (let value = valueAt(bytes, 0); value !== undefined; value = valueAt(bytes, value.end)) yield value;
};

/** Returns the key identifier of a certificate's authority. */
function authorityKeyOf(certificate: Buffer): Buffer | undefined {
  const [whole] = valuesIn(certificate);
  const [body] = valuesIn(whole?.content ?? Buffer.alloc(0));
  const list = [...valuesIn(body?.content ?? Buffer.alloc(0))].find(({ tag }) => tag === 0xa3);
  const [extensions] = valuesIn(list?.content ?? Buffer.alloc(0));
  for (const { content } of valuesIn(extensions?.content ?? Buffer.alloc(0))) {
    const parts = [...valuesIn(content)];
    if (parts[0]?.content.equals(oids.authorityKeyIdentifier) !== true) continue;
    const [identifier] = valuesIn(parts.at(-1)!.content);
    return [...valuesIn(identifier?.content ?? Buffer.alloc(0))].find(({ tag }) => tag === 0x80)?.content;
  }
  return undefined;
}

function renewalIdOf({ raw, serialNumber }: X509Certificate): string | undefined {
  const authority = authorityKeyOf(raw);
  if (authority === undefined) return undefined;
  const digits = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const serial = Buffer.from(/^[89a-f]/i.test(digits) ? `00${digits}` : digits, 'hex');
  return `${authority.toString('base64url')}.${serial.toString('base64url')}`;
}

/** Longest chain in characters; certificates of real authorities have some thousand. */
const maxChainLength = 2 ** 18;

/** Parses the first certificate of a PEM chain; undefined without one. */
export function leafOf(chain: string): LeafCertificate | undefined {
  if (chain.length > maxChainLength) return undefined;
  try {
    const certificate = new X509Certificate(chain);
    const { raw, fingerprint256, validFrom, validTo, publicKey } = certificate;
    return {
      fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
      notBefore: Date.parse(validFrom),
      notAfter: Date.parse(validTo),
      raw: raw.toString('base64url'),
      renewalId: renewalIdOf(certificate),
      isOf(keyPem) {
        const key = keyIn(keyPem);
        return key !== undefined && createPublicKey(key).equals(publicKey);
      },
    };
  } catch {
    return undefined;
  }
}
