/** In-memory third parties, besides the code host, each replaceable by a real one. */

import { createMemoryBucketServer } from 'workspace-sequencer/integrations/memory/bucket';
import { createMemoryCertificateServer } from 'workspace-sequencer/integrations/memory/certificate';
import { createMemoryDatabaseServer } from 'workspace-sequencer/integrations/memory/database';
import { createMemoryDnsProvider } from 'workspace-sequencer/integrations/memory/dns';
import { createAuthority } from 'workspace-sequencer/test';
import { startRouter } from './router.ts';

export const router = await startRouter();
export const authority = createAuthority(Date.now());
export const databases = createMemoryDatabaseServer();
export const buckets = createMemoryBucketServer();
export const certificates = createMemoryCertificateServer();
export const names = createMemoryDnsProvider();
