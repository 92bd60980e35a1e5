/** Creation of certificates by a plan. */

import { createAuthorityPair, issuePair, type Validity } from './authority.ts';
import { bundleOf, type CertificatePlan, type HeldCertificates, hostsOf, readHeld } from './held-certificates.ts';

/** Input of {@link makeCertificates}. */
export interface CertificateMaking {
  /** Stored certificates; undefined without usable ones. */
  readonly held: HeldCertificates | undefined;
  /** Previously stored certificates, whose authorities stay trusted. */
  readonly last: HeldCertificates | undefined;
  /** Name of new authorities. */
  readonly name: string;
  readonly hosts: readonly string[];
  /** ms since the epoch. */
  readonly now: number;
  /** Lifetimes in ms of authorities and server certificates. */
  readonly authorityLifetime: number;
  readonly lifetime: number;
}

/** Maximum ms by which the validity starts before the creation, for clock skew. */
const skew = 3_600_000;
/** Authorities that are trusted besides a new one; names of a server certificate. */
const max = { authorities: 3, hosts: 32 };

const validityFrom = (now: number, lifetime: number): Validity => ({
  from: now - Math.min(skew, lifetime / 10),
  to: now + lifetime,
});

/**
 * Makes certificates. Names that the server certificate has stay in it, so that replicas with different ones do not overwrite each other; authorities stay trusted
 * until they expire, those of a Secret that was deleted too.
 */
export async function makeCertificates(
  action: Exclude<CertificatePlan['action'], 'keep'>,
  { held, last, name, hosts, now, authorityLifetime, lifetime }: CertificateMaking,
): Promise<HeldCertificates> {
  const valid = (held ?? last)?.authorities.filter(({ validTo }) => Date.parse(validTo) > now) ?? [];
  const newest = held && { certificate: bundleOf(held.authorities.slice(0, 1)), key: held.authorityKey };
  const added = action === 'issue' ? undefined : await createAuthorityPair(name, validityFrom(now, authorityLifetime));
  const names = [...new Set([...hosts, ...(held === undefined ? [] : hostsOf(held))])].slice(0, max.hosts);
  const authority = (action === 'replace' ? added : newest)!;
  const pair = await issuePair(authority, { hosts: names, ...validityFrom(now, lifetime) });
  return readHeld({
    'tls.crt': pair.certificate,
    'tls.key': pair.key,
    'ca.crt': `${added?.certificate ?? ''}${bundleOf(valid.slice(0, max.authorities))}`,
    'ca.key': (added ?? newest!).key,
  })!;
}
