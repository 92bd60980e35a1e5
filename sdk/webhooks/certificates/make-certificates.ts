/** Creation of certificates by a plan. */

import { createAuthorityPair, issuePair, type Validity } from './authority.ts';
import {
  bundleOf,
  type CertificatePlan,
  hostsOf,
  parseCertificates,
  type StoredCertificates,
} from './stored-certificates.ts';

/** Input of {@link makeCertificates}. */
export interface MakeCertificatesOptions {
  /** Stored certificates; undefined without usable ones. */
  readonly held: StoredCertificates | undefined;
  /** Previously stored certificates, whose authorities stay trusted. */
  readonly last: StoredCertificates | undefined;
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
/** Maximum number of authorities besides a new one, and of names of a server certificate. */
const max = { authorities: 3, hosts: 32 };

const validityFrom = (now: number, lifetime: number): Validity => ({
  from: now - Math.min(skew, lifetime / 10),
  to: now + lifetime,
});

/**
 * Creates the certificates of a plan. The new server certificate keeps the names of the old one, so that replicas with different names do not overwrite
 * each other's. Authorities, also those of a deleted Secret, stay trusted until they expire.
 */
export async function makeCertificates(
  action: Exclude<CertificatePlan['action'], 'keep'>,
  { held, last, name, hosts, now, authorityLifetime, lifetime }: MakeCertificatesOptions,
): Promise<StoredCertificates> {
  const valid = (held ?? last)?.authorities.filter(({ validTo }) => Date.parse(validTo) > now) ?? [];
  const newest = held && { certificate: bundleOf(held.authorities.slice(0, 1)), key: held.authorityKey };
  const added = action === 'issue' ? undefined : await createAuthorityPair(name, validityFrom(now, authorityLifetime));
  const names = [...new Set([...hosts, ...(held === undefined ? [] : hostsOf(held))])].slice(0, max.hosts);
  const authority = (action === 'replace' ? added : newest)!;
  const pair = await issuePair(authority, { hosts: names, ...validityFrom(now, lifetime) });
  return parseCertificates({
    'tls.crt': pair.certificate,
    'tls.key': pair.key,
    'ca.crt': `${added?.certificate ?? ''}${bundleOf(valid.slice(0, max.authorities))}`,
    'ca.key': (added ?? newest!).key,
  })!;
}
