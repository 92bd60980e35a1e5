// The program that is killed repeatedly: a sequencer with guards of short leases.
import { readFileSync } from 'node:fs';
import { rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
import type { Rfc2136DnsOptions } from '../../../../integrations/rfc2136/options.ts';
import type { GuardTimes } from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/index.ts';
import { thirdParty } from './integrations.ts';

/** Options of the program, in the JSON file that is its only argument. */
export interface KilledOptions {
  readonly kubeconfig: string;
  /** URL of the third party; without it there are names only. */
  readonly url?: string;
  /** A real name server for the last condition; without one, the third party holds the names too. */
  readonly dns?: Rfc2136DnsOptions;
  readonly times: Partial<GuardTimes>;
}

const { kubeconfig, url, dns, times } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as KilledOptions;
const things =
  url === undefined
    ? []
    : [
        thirdParty({ url, name: 'tunnel', condition: 'Tunneling', identity: 'opaque' }),
        thirdParty({ url, name: 'ingress', condition: 'Ingress', after: ['Tunneling'], identity: 'name' }),
        ...(dns === undefined
          ? [thirdParty({ url, name: 'dns', condition: 'DNS', after: ['Ingress'], identity: 'name' })]
          : []),
      ];
const names = dns === undefined ? [] : [rfc2136Dns(dns)];
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

await runSequencer({
  kubeconfig,
  times,
  integrations: [...things, ...names],
  signal: stopping.signal,
});
