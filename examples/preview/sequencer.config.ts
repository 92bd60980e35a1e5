// A preview environment for each pull request, with every third party in memory: npm start -- --config examples/preview/sequencer.config.ts
// To make it yours, replace what comes from ./world.ts, one after the other: the integrations beside each line do the same with real servers.
import { fileURLToPath } from 'node:url';
import { caddyRoutes } from 'workspace-sequencer/integrations/caddy/routes';
import { components } from 'workspace-sequencer/integrations/components';
import { gitea } from 'workspace-sequencer/integrations/gitea';
import { memoryBucket } from 'workspace-sequencer/integrations/memory/bucket';
import { memoryCertificate } from 'workspace-sequencer/integrations/memory/certificate';
import { memoryDatabase } from 'workspace-sequencer/integrations/memory/database';
import { memoryDns } from 'workspace-sequencer/integrations/memory/dns';
import { previews } from 'workspace-sequencer/integrations/previews';
import { certificateLoader } from './certificate-loader.ts';
import { createNodeAgent, gate } from './node-agent.ts';
import { story } from './story.ts';
import * as world from './world.ts';

const namespace = 'default';
const program = fileURLToPath(import.meta.resolve(import.meta.url.endsWith('.js') ? './shop.js' : './shop.ts'));
const agent = createNodeAgent({ program, namespace });

const shop = previews({
  host: gitea({ url: world.codeHost.url, token: world.token, secret: world.webhook.secret }), // or gitHub({ token, secret })
  repositories: [world.repository],
  webhook: { port: world.webhook.port, address: '127.0.0.1' },
  template: {
    metadata: { name: 'shop-${pr::number}', namespace },
    spec: {
      components: [
        {
          name: 'web',
          networks: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
          template: {
            readinessGates: [{ conditionType: gate }], // for ./node-agent.ts, which runs a process in place of the image
            containers: [
              {
                name: 'web',
                image: 'ghcr.io/acme/shop:${pr::sha}',
                env: [
                  { name: 'COMMIT', value: '${pr::sha}' },
                  { name: 'DATABASE_URI', valueFrom: { secretKeyRef: '${outputs::Database.uri}' } },
                  { name: 'BUCKET', value: '${outputs::Bucket.bucket}' },
                ],
              },
            ],
          },
        },
      ],
      networking: {
        dns: { zone: 'preview.example.com' },
        ingress: {
          className: 'none',
          rules: [{ name: 'web', subdomain: 'pr-${pr::number}', path: '/', component: 'web', network: 'http' }],
        },
      },
      integrations: { 'memory-database': {}, 'memory-bucket': {}, 'memory-certificate': {} },
    },
  },
});

export const integrations = [
  components(),
  memoryDatabase({ server: world.databases }), // postgresDatabase({ server: { host, user, password } })
  memoryBucket({ server: world.buckets }), // s3Bucket({ server: { … } })
  memoryCertificate({ authority: world.authority, server: world.certificates }), // acmeCertificate({ directory, accountKey, … })
  memoryDns({ provider: world.names }), // rfc2136Dns({ server, key }), route53Dns(), …
  caddyRoutes({ url: world.router.url, server: 'edge', upstream: agent.addressOf }), // or ingress(), in a cluster that has one
  shop.integration,
];

export const runnables = [shop.runnable, agent.runnable, certificateLoader({ url: world.router.url, namespace })];

/** Played by `sequencer dev` alone: `sequencer run` waits for pull requests. */
export const walkthrough = story({
  codeHost: { url: world.codeHost.url, repository: world.repository, token: world.token },
  namespace,
  host: 'pr-1.preview.example.com',
  port: world.router.port,
  ca: world.authority.certificate,
  counts: () => ({
    databases: world.databases.things().length,
    buckets: world.buckets.things().length,
    certificates: world.certificates.things().length,
    routes: world.router.routes().length,
    'DNS records': world.names.records().length,
    processes: agent.running(),
    comments: world.codeHost.comments().length,
  }),
});
