/** Compliance subject of `acmeCertificate`. */

import { generateKeyPairSync } from 'node:crypto';
import {
  type AcmeCertificateOptions,
  acmeCertificate,
  type PublishedDns,
} from '../../../integrations/acme/certificate.ts';
import { type Client, Workspace } from '../../../sdk/index.ts';
import { httpFailures, type Run, type Subject } from '../../compliance/index.ts';

/** Spec of a workspace that asks for a certificate of these names. */
export const spec = (names: readonly string[]) => ({
  networking: { dns: { zone: 'example.test' } },
  integrations: { 'acme-certificate': { names: [...names] } },
});

/** Account key that all servers of the kit know. */
export const accountKey: string = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** Compliance subject of `acmeCertificate`, for any server. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: spec(['shop']),
  edited: spec(['shop', '*.shop']),
  sameName: 'separate',
  drift: 'mended',
  secrets: [accountKey],
  failures: httpFailures,
};

/**
 * Stands for a DNS integration that publishes what a workspace asks for as soon as it does; in the kit there is none. Each workspace holds the names that
 * it names.
 */
export const publishedAtOnce = (client: Client): PublishedDns => ({
  claimOf: () => undefined,
  async texts(name) {
    const { items } = await client.list(Workspace);
    return items
      .flatMap(({ status }) => status?.dns ?? [])
      .filter((entry) => entry.name === name)
      .map(({ target }) => target);
  },
});

/** Integration of one run; each request to the server is a call. */
export const integrationOf = (
  { fetch, clock }: Run,
  dns: PublishedDns,
  options: Partial<AcmeCertificateOptions> = {},
) =>
  acmeCertificate({
    directory: 'https://ca.example.test/dir',
    accountKey,
    agreeToTerms: true,
    revoke: true,
    retryInterval: 30_000,
    driftInterval: 60_000,
    renewalInterval: 60_000,
    limits: { rate: 1_000, burst: 1_000 },
    ...options,
    fetch,
    clock,
    dns,
  });
