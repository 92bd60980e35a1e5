// The program that is killed in preview-chaos.ts: a sequencer with all that a preview environment needs.
import { readFileSync } from 'node:fs';
import { acmeCertificate } from '../../../../integrations/acme/certificate.ts';
import { caddyRoutes } from '../../../../integrations/caddy/routes.ts';
import { components } from '../../../../integrations/components/index.ts';
import { alertmanagerSilences } from '../../../../integrations/notify/alertmanager.ts';
import { natsMessages } from '../../../../integrations/notify/nats.ts';
import { type PostgresAddress, postgresDatabase } from '../../../../integrations/postgres/index.ts';
import { type Rfc2136DnsOptions, rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
import { type S3Address, s3Bucket } from '../../../../integrations/s3/index.ts';
import type { GuardTimes } from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/index.ts';

/** Options of the program, in the JSON file that is its only argument. */
export interface PreviewSequencerOptions {
  readonly kubeconfig: string;
  readonly times: Partial<GuardTimes>;
  /** ms within which every third party has to answer. */
  readonly deadline: number;
  readonly postgres: PostgresAddress;
  readonly caddy: { readonly url: string; readonly server: string };
  readonly acme: { readonly directory: string; readonly ca: string; readonly accountKey: string };
  readonly dns: Pick<Rfc2136DnsOptions, 'server' | 'key'>;
  readonly s3: { readonly server: S3Address; readonly iam: string };
  readonly nats: { readonly address: string; readonly user: string; readonly password: string };
  readonly alertmanager: { readonly url: string };
}

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const { kubeconfig, times, deadline, ...parties } = JSON.parse(text) as PreviewSequencerOptions;
const { postgres, caddy, acme, dns, s3, nats, alertmanager } = parties;
const limits = { rate: 200, burst: 200 };
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

await runSequencer({
  kubeconfig,
  times,
  signal: stopping.signal,
  integrations: [
    components(),
    postgresDatabase({ server: postgres, deadline, limits }),
    acmeCertificate({
      ...{ ...acme, agreeToTerms: true, nameServers: [`${dns.server.host}:${dns.server.port}`] },
      ...{ deadline, limits, retryInterval: 5_000 },
    }),
    rfc2136Dns({ ...dns, target: '192.0.2.1', fudge: 2, deadline }),
    s3Bucket({ server: s3.server, users: { endpoint: s3.iam }, deadline, limits }),
    natsMessages({
      ...{ servers: [nats.address], credential: { user: nats.user, password: nats.password }, stream: 'ENVIRONMENTS' },
      ...{ workspaces: 'all', deadline, limits },
    }),
    alertmanagerSilences({ ...alertmanager, workspaces: 'all', deadline, limits }),
    caddyRoutes({ ...caddy, deadline, limits, driftInterval: 3_000, upstream: () => '127.0.0.1:9' }),
  ],
});
