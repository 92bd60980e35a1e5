/** Third parties of the example: each in this process, and each with a real one that takes its place. */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryBucketServer } from 'workspace-sequencer/integrations/memory/bucket';
import { createMemoryCertificateServer } from 'workspace-sequencer/integrations/memory/certificate';
import { createMemoryDatabaseServer } from 'workspace-sequencer/integrations/memory/database';
import { createMemoryDnsProvider } from 'workspace-sequencer/integrations/memory/dns';
import { createAuthority } from 'workspace-sequencer/test';
import { startCodeHost } from './code-host.ts';
import { startRouter } from './router.ts';

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const repository = 'acme/shop';
export const token = randomBytes(16).toString('hex');
export const webhook = { port: await freePort(), secret: randomBytes(32).toString('hex') };
export const codeHost = await startCodeHost({
  repository,
  token,
  webhook: { url: `http://127.0.0.1:${webhook.port}/webhook`, secret: webhook.secret },
});
export const router = await startRouter();
export const authority = createAuthority(Date.now());
export const databases = createMemoryDatabaseServer();
export const buckets = createMemoryBucketServer();
export const certificates = createMemoryCertificateServer();
export const names = createMemoryDnsProvider();
