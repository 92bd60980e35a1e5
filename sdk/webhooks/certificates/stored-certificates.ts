/** Certificates in the Secret that the replicas share, and their renewal. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { CertificatePair } from './certificate-source.ts';

/** Stored certificates: the authorities, newest first, the key of the newest, and the server certificate with its key. */
export interface StoredCertificates {
  readonly authorities: readonly X509Certificate[];
  readonly authorityKey: string;
  readonly pair: CertificatePair;
  readonly server: X509Certificate;
}

/** Data of a Secret, decoded. */
export type SecretText = Readonly<Record<string, string>>;

const pemPattern = /-----BEGIN CERTIFICATE-----[^-]{1,16384}-----END CERTIFICATE-----/g;

/** Reads certificates in PEM; none from any other text. */
export const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(pemPattern) ?? []).slice(0, 16).map((one) => new X509Certificate(one));

/** Returns the bundle of authorities in PEM. */
export const bundleOf = (authorities: readonly X509Certificate[]): string =>
  authorities.map((one) => one.toString()).join('');

/** Parses the Secret; undefined when a part is missing or does not match the others. */
export function parseCertificates(data: SecretText): StoredCertificates | undefined {
  const { 'tls.crt': certificate = '', 'tls.key': key = '', 'ca.crt': bundle = '', 'ca.key': authorityKey = '' } = data;
  try {
    const authorities = certificatesIn(bundle);
    const server = certificatesIn(certificate)[0];
    if (server === undefined || authorities[0] === undefined) return undefined;
    const isConsistent =
      server.checkPrivateKey(createPrivateKey(key)) &&
      authorities[0].checkPrivateKey(createPrivateKey(authorityKey)) &&
      authorities.some((one) => server.verify(one.publicKey));
    return isConsistent ? { authorities, authorityKey, pair: { certificate, key }, server } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the names of a server's certificate. */
export const hostsOf = ({ server }: Pick<StoredCertificates, 'server'>): readonly string[] =>
  (server.subjectAltName ?? '').split(', ').map((name) => name.replace(/^[^:]*:/, ''));

/** Returns the Secret's data for certificates. */
export const secretTextOf = ({ authorities, authorityKey, pair }: Omit<StoredCertificates, 'server'>): SecretText => ({
  'tls.crt': pair.certificate,
  'tls.key': pair.key,
  'ca.crt': bundleOf(authorities),
  'ca.key': authorityKey,
});

/**
 * Due action. `replace`: new authority and server certificate, when the stored ones are unusable; `issue`: new server certificate by the newest
 * authority; `rotate`: also a new authority, which issues later; `keep`: none.
 */
export interface CertificatePlan {
  readonly action: 'keep' | 'issue' | 'rotate' | 'replace';
  /** Time of the next decision in ms since the epoch, unless the certificates change before. */
  readonly nextCheckAt: number;
}

/** Input of {@link planCertificates}. */
export interface CertificateState {
  /** ms since the epoch. */
  readonly now: number;
  /** Names that the server's certificate must have. */
  readonly hosts: readonly string[];
  /** True when API servers trust all stored authorities. */
  readonly trusted: boolean;
  /**
   * ms since the epoch before which certificates are kept that are not valid yet, so that replicas whose clocks differ do not replace each other's
   * without a pause.
   */
  readonly earlyUntil: number;
}

const expiryOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

/** Reports whether a certificate is not valid yet: it was made by a clock that was ahead. */
const isEarly = (certificate: X509Certificate, now: number): boolean => now < Date.parse(certificate.validFrom);

/** Returns the time at which two thirds of a certificate's lifetime are over. */
const renewalTimeOf = (certificate: X509Certificate): number => {
  const from = Date.parse(certificate.validFrom);
  return from + ((expiryOf(certificate) - from) * 2) / 3;
};

/** Reports whether the newest authority is valid. */
const hasAuthority = (held: StoredCertificates | undefined, now: number): held is StoredCertificates => {
  const newest = held?.authorities[0];
  return newest !== undefined && now < expiryOf(newest) && !isEarly(newest, now);
};

/** Reports whether certificates are kept for now though the server's or the newest authority is not valid yet. */
const isHeldEarly = (held: StoredCertificates | undefined, { now, earlyUntil }: CertificateState): boolean =>
  now < earlyUntil && [held?.server, held?.authorities[0]].some((one) => one !== undefined && isEarly(one, now));

/** Reports whether the server's certificate is valid for all hosts. */
const isServable = (held: StoredCertificates, { now, hosts }: CertificateState): boolean => {
  const names = hostsOf(held);
  return now < expiryOf(held.server) && !isEarly(held.server, now) && hosts.every((host) => names.includes(host));
};

/**
 * Decides on the renewal of certificates; pure. Authorities and server certificates are renewed after two thirds of their lifetimes. A new authority
 * issues only once API servers trust it, and the old one is trusted until it expires, so that the served certificate is trusted at all times.
 */
export function planCertificates(held: StoredCertificates | undefined, state: CertificateState): CertificatePlan {
  const { now, trusted, earlyUntil } = state;
  if (isHeldEarly(held, state)) return { action: 'keep', nextCheckAt: earlyUntil };
  if (!hasAuthority(held, now)) return { action: 'replace', nextCheckAt: now };
  const { server } = held;
  const newest = held.authorities[0]!;
  const isIssuedByNewest = server.verify(newest.publicKey);
  const mayIssue = isIssuedByNewest || trusted;
  const due: readonly (readonly [CertificatePlan['action'], boolean])[] = [
    ['issue', !isServable(held, state)],
    ['rotate', isIssuedByNewest && trusted && now >= renewalTimeOf(newest)],
    ['issue', mayIssue && (!isIssuedByNewest || now >= renewalTimeOf(server))],
  ];
  const first = due.find(([, isDue]) => isDue);
  if (first !== undefined) return { action: first[0], nextCheckAt: now };
  const times = [
    expiryOf(server),
    expiryOf(newest),
    ...(mayIssue ? [renewalTimeOf(server)] : []),
    renewalTimeOf(newest),
  ];
  return { action: 'keep', nextCheckAt: Math.min(...times.filter((time) => time > now)) };
}
