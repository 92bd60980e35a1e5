/** Makes certificates and signs them as a certificate authority. */

import { createECDH, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bits, der, extension, integer, oid, sequence, tags, yes } from './der.ts';

/** Certificate and its key, in PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** Certificate authority. Clients that trust its certificate trust those that it signs. */
export interface Authority {
  /** The authority's own certificate, in PEM. */
  readonly certificate: string;
  /** Issues a server certificate for DNS names and IPv4 addresses. */
  issue(hosts: readonly string[]): Identity;
  /** Issues a client certificate: the user is its common name, the groups are its organizations. */
  issueFor(user: { readonly name: string; readonly groups: readonly string[] }): Identity;
  /** Signs a certificate for another's key and returns it in PEM; it expires no later than the authority's own. */
  certify(certificate: Certified): string;
}

/** Content of a certificate. */
export interface Certified {
  /** Name in DER. */
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** Extensions, each in DER. */
  readonly extensions: readonly Buffer[];
  /** Validity, in ms since the epoch. */
  readonly from: number;
  readonly to: number;
}

const utcTime = (date: Date): Buffer =>
  der(tags.utcTime, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const part = (id: string, text: string): Buffer => der(tags.set, sequence(oid(id), der(tags.utf8, Buffer.from(text))));

const nameOf = (commonName: string, organizations: readonly string[] = []): Buffer =>
  sequence(...organizations.map((one) => part('2.5.4.10', one)), part('2.5.4.3', commonName));

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const p256 = sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7'));
const alternativeName = (host: string): Buffer =>
  /^\d+(\.\d+){3}$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

const authorityExtensions = (): Buffer[] => [
  extension('2.5.29.19', sequence(yes), true),
  extension('2.5.29.15', der(tags.bits, Buffer.from([0x01, 0x06])), true),
];

const serverExtensions = (hosts: readonly string[]): Buffer[] => [
  extension('2.5.29.15', der(tags.bits, Buffer.from([0x07, 0x80])), true),
  extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
  extension('2.5.29.17', sequence(...hosts.map(alternativeName))),
];

const clientExtensions = (): Buffer[] => [
  extension('2.5.29.15', der(tags.bits, Buffer.from([0x07, 0x80])), true),
  extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.2'))),
];

/** P-256 key pair: the point (SEC 1, uncompressed) and the secret number. */
interface KeyPair {
  readonly point: Buffer;
  readonly secret: Buffer;
}

const coordinate = 32;

/** Creates a key by ECDH and encodes it by hand: loading OpenSSL's encoders takes milliseconds. */
function createKeyPair(): KeyPair {
  const pair = createECDH('prime256v1');
  const point = pair.generateKeys();
  const secret = pair.getPrivateKey();
  return { point, secret: Buffer.concat([Buffer.alloc(coordinate - secret.length), secret]) };
}

/** Returns the signing key as a KeyObject of `node:crypto`. */
function signingKeyOf({ point, secret }: KeyPair): KeyObject {
  const [x, y, d] = [point.subarray(1, 1 + coordinate), point.subarray(1 + coordinate), secret].map((bytes) =>
    bytes.toString('base64url'),
  );
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d } });
}

/** Encodes the public key (RFC 5480). */
const publicKeyInfo = ({ point }: KeyPair): Buffer => sequence(p256, bits(point));

/** Encodes the private key: PKCS #8 around the key of RFC 5915. */
function privateKeyInfo({ point, secret }: KeyPair): Buffer {
  const key = sequence(integer(Buffer.from([1])), der(tags.octets, secret), der(0xa1, bits(point)));
  return sequence(integer(Buffer.from([0])), p256, der(tags.octets, key));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

const day = 24 * 60 * 60 * 1000;
const authorityName = 'in-memory-cluster';

/** Encodes the TBSCertificate: all but the signature. */
function tbsCertificate({ subject, publicKey, extensions, from, to }: Certified): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    nameOf(authorityName),
    sequence(utcTime(new Date(from)), utcTime(new Date(to))),
    subject,
    publicKey,
    der(0xa3, sequence(...extensions)),
  );
}

/** Creates an authority whose certificates are valid for ten years from `now` (ms). */
export function createAuthority(now: number): Authority {
  const own = createKeyPair();
  const key = signingKeyOf(own);
  const [from, to] = [now - day, now + 3650 * day];
  const certify = (certificate: Certified): string => {
    const body = tbsCertificate({ ...certificate, to: Math.min(certificate.to, to) });
    return pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bits(sign('sha256', body, key))));
  };
  const identified = (subject: Buffer, extensions: readonly Buffer[]): Identity => {
    const keys = createKeyPair();
    const certificate = certify({ subject, publicKey: publicKeyInfo(keys), extensions, from, to });
    return { certificate, key: pem('PRIVATE KEY', privateKeyInfo(keys)) };
  };
  const ownName = nameOf(authorityName);
  return {
    certificate: certify({
      subject: ownName,
      publicKey: publicKeyInfo(own),
      extensions: authorityExtensions(),
      from,
      to,
    }),
    issue: (hosts) => identified(nameOf('kube-apiserver'), serverExtensions(hosts)),
    issueFor: ({ name, groups }) => identified(nameOf(name, groups), clientExtensions()),
    certify,
  };
}
