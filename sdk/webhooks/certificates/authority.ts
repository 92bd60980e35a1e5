/** Certificate authorities and server certificates of webhooks. Loads @peculiar/x509 with the first one. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto';
import type { CertificatePair } from './certificate-source.ts';

/** Validity in ms since the epoch, in whole seconds. */
export interface Validity {
  readonly from: number;
  readonly to: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Loads @peculiar/x509, whose dependency injection needs reflect-metadata. */
async function loadX509() {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(crypto);
  return x509;
}

const newKeys = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
/** Key type of the library: the global CryptoKey, which is the DOM's in projects with DOM types. */
type GlobalCryptoKey = InstanceType<typeof CryptoKey>;

const signingKey = (key: KeyObject) => key.toCryptoKey(algorithm, false, ['sign']) as GlobalCryptoKey;
const publicKey = (key: KeyObject) => createPublicKey(key).toCryptoKey(algorithm, true, ['verify']) as GlobalCryptoKey;

/** Creates a certificate authority (P-256) with a unique name. */
export async function createAuthorityPair(name: string, { from, to }: Validity): Promise<CertificatePair> {
  const x509 = await loadX509();
  const key = newKeys();
  const serialNumber = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('hex');
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `4${serialNumber.slice(1)}`,
    name: [{ CN: [`${name.slice(0, 40)} ${serialNumber.slice(0, 8)}`] }],
    notBefore: new Date(from),
    notAfter: new Date(to),
    signingAlgorithm: algorithm,
    keys: { privateKey: signingKey(key), publicKey: publicKey(key) },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(publicKey(key)),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, key: keyPem(key) };
}

/** Issues a server certificate (P-256) for DNS names and IP addresses. @throws Error for an authority that cannot be read */
export async function issuePair(
  authority: CertificatePair,
  { hosts, from, to }: Validity & { readonly hosts: readonly string[] },
): Promise<CertificatePair> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.certificate);
  const key = newKeys();
  const serialNumber = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('hex');
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: `4${serialNumber.slice(1)}`,
    subject: [{ CN: [hosts[0]!.slice(0, 64)] }],
    issuer: issuer.subjectName,
    notBefore: new Date(from),
    notAfter: new Date(Math.min(to, issuer.notAfter.getTime())),
    signingAlgorithm: algorithm,
    publicKey: publicKey(key),
    signingKey: signingKey(createPrivateKey(authority.key)),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, key: keyPem(key) };
}
