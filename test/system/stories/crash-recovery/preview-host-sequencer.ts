// The program that is killed in the story of a code host: a sequencer with previews of one repository.
import { readFileSync } from 'node:fs';
import { gitea } from '../../../../integrations/gitea/index.ts';
import { memoryDns } from '../../../../integrations/memory/dns.ts';
import { previews } from '../../../../integrations/previews/index.ts';
import type { GuardTimes } from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/index.ts';

/** Options of the program, in the JSON file that is its only argument. */
export interface PreviewHostOptions {
  readonly kubeconfig: string;
  readonly times: Partial<GuardTimes>;
  readonly host: { readonly url: string; readonly token: string; readonly secret: string; readonly deadline: number };
  readonly repository: string;
  /** Port of the webhook server. */
  readonly port: number;
}

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const { kubeconfig, times, host, repository, port } = JSON.parse(text) as PreviewHostOptions;
const { runnable, integration } = previews({
  host: gitea(host),
  repositories: [repository],
  webhook: { port, address: '127.0.0.1' },
  template: {
    metadata: { name: 'shop-${pr::number}', namespace: 'default' },
    spec: {
      integrations: { note: { text: '${pr::sha} of ${pr::branch}' } },
      networking: {
        dns: { zone: 'preview.example.test' },
        ingress: {
          className: 'none',
          rules: [{ name: 'web', subdomain: 'pr-${pr::number}', path: '/', component: 'web', network: 'http' }],
        },
      },
    },
  },
});

const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

await runSequencer({
  kubeconfig,
  times,
  signal: stopping.signal,
  integrations: [memoryDns(), integration],
  runnables: [runnable],
});
