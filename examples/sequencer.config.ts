/** Config of `npm start`. */

import { components } from 'workspace-sequencer/integrations/components';
import { createMemoryDnsProvider, memoryDns } from 'workspace-sequencer/integrations/memory/dns';

/** Integrations of `npm start`: pods and services in the cluster, and DNS records of an in-memory third party with latency. */
export const integrations = [components(), memoryDns({ provider: createMemoryDnsProvider({ latency: 700 }) })];
