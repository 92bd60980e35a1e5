/** Certificates in the Secret that the replicas share, and the decision when to renew them. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { CertificatePair } from './certificate-source.ts';

/** Stored certificates: the authorities, newest first, the key of the newest, and the server certificate with its key. */
export interface HeldCertificates {
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
export function readHeld(data: SecretText): HeldCertificates | undefined {
  const { 'tls.crt': certificate = '', 'tls.key': key = '', 'ca.crt': bundle = '', 'ca.key': authorityKey = '' } = data;
  try {
    const authorities = certificatesIn(bundle);
    const server = certificatesIn(certificate)[0];
    if (server === undefined || authorities[0] === undefined) return undefined;
    const isWhole =
      server.checkPrivateKey(createPrivateKey(key)) &&
      authorities[0].checkPrivateKey(createPrivateKey(authorityKey)) &&
      authorities.some((one) => server.verify(one.publicKey));
    return isWhole ? { authorities, authorityKey, pair: { certificate, key }, server } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the names of a server's certificate. */
export const hostsOf = ({ server }: Pick<HeldCertificates, 'server'>): readonly string[] =>
  (server.subjectAltName ?? '').split(', ').map((name) => name.replace(/^[^:]*:/, ''));

/** Returns the Secret's data for certificates. */
export const heldText = ({ authorities, authorityKey, pair }: Omit<HeldCertificates, 'server'>): SecretText => ({
  'tls.crt': pair.certificate,
  'tls.key': pair.key,
  'ca.crt': bundleOf(authorities),
  'ca.key': authorityKey,
});

/**
 * Due action: `replace` everything, without usable certificates; `issue` a server certificate by the newest authority; `rotate`: also add an
 * authority, which signs later; `keep` everything.
 */
export interface CertificatePlan {
  readonly action: 'keep' | 'issue' | 'rotate' | 'replace';
  /** Time of the next decision in ms since the epoch, unless the certificates change before. */
  readonly again: number;
}

/** Input of {@link planCertificates}. */
export interface CertificateState {
  /** ms since the epoch. */
  readonly now: number;
  /** Names that the server's certificate must have. */
  readonly hosts: readonly string[];
  /** True when API servers trust all stored authorities. */
  readonly trusted: boolean;
}

const toOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

/** Returns when two thirds of a certificate's life are over. */
const dueOf = (certificate: X509Certificate): number => {
  const from = Date.parse(certificate.validFrom);
  return from + ((toOf(certificate) - from) * 2) / 3;
};

/** Reports whether an authority has not expired. */
const hasAuthority = (held: HeldCertificates | undefined, now: number): held is HeldCertificates => {
  const newest = held?.authorities[0];
  return newest !== undefined && now < toOf(newest);
};

/** Reports whether the server's certificate is valid for all hosts. */
const isServable = (held: HeldCertificates, { now, hosts }: CertificateState): boolean => {
  const names = hostsOf(held);
  return now < toOf(held.server) && hosts.every((host) => names.includes(host));
};

/**
 * Decides about certificates; pure. Both kinds are renewed after two thirds of their lives. A new authority signs only once API servers trust it, and the old
 * one is trusted until it expires, so the served certificate is trusted at all times.
 */
export function planCertificates(held: HeldCertificates | undefined, state: CertificateState): CertificatePlan {
  const { now, trusted } = state;
  if (!hasAuthority(held, now)) return { action: 'replace', again: now };
  const { server } = held;
  const newest = held.authorities[0]!;
  const isOfNewest = server.verify(newest.publicKey);
  const mayIssue = isOfNewest || trusted;
  const due: readonly (readonly [CertificatePlan['action'], boolean])[] = [
    ['issue', !isServable(held, state)],
    ['rotate', isOfNewest && trusted && now >= dueOf(newest)],
    ['issue', mayIssue && (!isOfNewest || now >= dueOf(server))],
  ];
  const first = due.find(([, isDue]) => isDue);
  if (first !== undefined) return { action: first[0], again: now };
  const times = [toOf(server), toOf(newest), ...(mayIssue ? [dueOf(server)] : []), dueOf(newest)];
  return { action: 'keep', again: Math.min(...times.filter((time) => time > now)) };
}
