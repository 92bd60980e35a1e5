/** Certificates that are held. */

import {
  type MakeCertificatesOptions,
  makeCertificates,
} from '../../../../../sdk/webhooks/certificates/make-certificates.ts';
import type { StoredCertificates } from '../../../../../sdk/webhooks/certificates/stored-certificates.ts';

const day = 86_400_000;

/** Time at which the first certificates are made. */
export const start = Date.UTC(2026, 0, 1);

/** Input of {@link makeCertificates} at a number of days after the start. */
export const making = (days: number, more: Partial<MakeCertificatesOptions> = {}): MakeCertificatesOptions => ({
  held: undefined,
  last: undefined,
  name: 'sites',
  hosts: ['sites.default.svc'],
  now: start + days * day,
  authorityLifetime: 300 * day,
  lifetime: 90 * day,
  ...more,
});

/** Makes an authority and a server certificate at the start. */
export const aHeld = (): Promise<StoredCertificates> => makeCertificates('replace', making(0));
