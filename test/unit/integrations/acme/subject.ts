/** Compliance subject of `acmeCertificate`. */

import { generateKeyPairSync } from 'node:crypto';
import type { ServedRoutes } from '../../../../integrations/acme/certificate.ts';
import {
  type AcmeCertificateOptions,
  acmeCertificate,
  type PublishedDns,
} from '../../../../integrations/acme/certificate.ts';
import { type Client, Pod, Service, Workspace } from '../../../../sdk/index.ts';
import { httpFailures, type Run, type Subject } from '../../../compliance/index.ts';

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

/**
 * Stands for an Ingress integration and its controller, which serve a route as soon as a workspace asks for it: what the pod behind its Service answers.
 */
export const servedAtOnce = (client: Client): ServedRoutes => ({
  claimOf: () => undefined,
  async read({ host, path }) {
    const { items } = await client.list(Workspace);
    const entries = items.flatMap(({ metadata, status }) =>
      (status?.routes ?? []).map((route) => ({ ...route, namespace: metadata.namespace ?? '' })),
    );
    const entry = entries.find((one) => one.host === host && one.path === path);
    if (entry === undefined) throw new Error('HTTP 404');
    const key = { namespace: entry.namespace, name: entry.service };
    const { spec: service } = await client.get(Service, key);
    const { metadata, spec } = await client.get(Pod, key);
    const isBehind = Object.entries(service?.selector ?? {}).every(
      ([name, value]) => metadata.labels?.[name] === value,
    );
    const answers = spec?.containers[0]?.env?.find(({ name }) => name === 'ANSWERS')?.value?.split(' ') ?? [];
    const found = answers.find((answer) => path.endsWith(`/${answer.split('.')[0]}`));
    if (!isBehind || found === undefined) throw new Error('HTTP 503');
    return found;
  },
});

/** Returns the names of the pods and Services that answer challenges. */
export async function respondersOf(client: Client): Promise<readonly string[]> {
  const lists = await Promise.all([client.list(Pod), client.list(Service)]);
  return lists
    .flatMap(({ items }) => items.map(({ metadata }) => metadata))
    .filter(({ labels }) => labels?.['acme.sequencer.io/responder'] !== undefined)
    .map(({ name }) => name ?? '');
}

/** Options with which names are proved over HTTP. */
export const byHttp = (routes: ServedRoutes) =>
  ({ challenge: 'http-01', responder: { image: 'example.test/node' }, names: ['example.test'], routes }) as const;

/** Integration of one run; each request to the server is a call. */
export const integrationOf = (
  { fetch, clock }: Run,
  proof: Partial<AcmeCertificateOptions>,
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
    ...proof,
  });
