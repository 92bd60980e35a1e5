// The program that is killed in the preview siege: a sequencer with all that a preview environment needs.
import { readFileSync } from 'node:fs';
import { acmeCertificate } from '../../../../integrations/acme/certificate.ts';
import { caddyRoutes } from '../../../../integrations/caddy/routes.ts';
import { components } from '../../../../integrations/components/index.ts';
import { type PostgresAddress, postgresDatabase } from '../../../../integrations/postgres/index.ts';
import { type Rfc2136DnsOptions, rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
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
}

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const { kubeconfig, times, deadline, postgres, caddy, acme, dns } = JSON.parse(text) as PreviewSequencerOptions;
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
    caddyRoutes({ ...caddy, deadline, limits, driftInterval: 3_000, upstream: () => '127.0.0.1:9' }),
  ],
});
