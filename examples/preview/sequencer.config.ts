// A preview environment for each pull request, with every third party in memory: npm start -- --config examples/preview/sequencer.config.ts
// To make it yours, replace what comes from ./third-parties.ts, line by line: ./real.config.ts is the same with real servers.
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
import { createNodeAgent } from './node-agent.ts';
import { codeHost, repository, token, webhook } from './repository.ts';
import { story } from './story.ts';
import { templateOf } from './template.ts';
import * as parties from './third-parties.ts';

const [namespace, zone] = ['default', 'preview.example.com'];
const program = fileURLToPath(import.meta.resolve(import.meta.url.endsWith('.js') ? './shop.js' : './shop.ts'));
const agent = createNodeAgent({ program, namespace });

const shop = previews({
  host: gitea({ url: codeHost.url, token, secret: webhook.secret }), // or gitHub({ token, secret })
  repositories: [repository],
  webhook: { port: webhook.port, address: '127.0.0.1' },
  template: templateOf({
    ...{ namespace, zone },
    integrations: { 'memory-database': {}, 'memory-bucket': {}, 'memory-certificate': {} },
  }),
});

export const integrations = [
  components(),
  memoryDatabase({ server: parties.databases }), // postgresDatabase({ server: { host, user, password } })
  memoryBucket({ server: parties.buckets }), // s3Bucket({ server: { … } })
  memoryCertificate({ authority: parties.authority, server: parties.certificates }), // acmeCertificate({ directory, accountKey, … })
  memoryDns({ provider: parties.names }), // rfc2136Dns({ server, key }), route53Dns(), …
  caddyRoutes({ url: parties.router.url, server: 'edge', upstream: agent.addressOf }), // or ingress(), in a cluster that has one
  shop.integration,
];

export const runnables = [shop.runnable, agent.runnable, certificateLoader({ url: parties.router.url, namespace })];

/** Played by `sequencer dev` alone: `sequencer run` waits for pull requests. */
export const walkthrough = story({
  codeHost: { url: codeHost.url, repository, token },
  namespace,
  host: `pr-1.${zone}`,
  addressOf: async (host) => parties.names.records().find(({ name }) => name === host)?.target,
  port: parties.router.port,
  ca: parties.authority.certificate,
  counts: () => ({
    databases: parties.databases.objects().length,
    buckets: parties.buckets.objects().length,
    certificates: parties.certificates.objects().length,
    routes: parties.router.routes().length,
    'DNS records': parties.names.records().length,
    processes: agent.running(),
    comments: codeHost.comments().length,
  }),
});
