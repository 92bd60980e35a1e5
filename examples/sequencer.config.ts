import { components } from 'workspace-sequencer/integrations/components';
import { createMemoryDnsProvider, memoryDns } from 'workspace-sequencer/integrations/memory/dns';

/** What `npm start` walks: pods and services of the cluster itself, and DNS records of a third party that lives in memory and takes its time. */
export const integrations = [components(), memoryDns({ provider: createMemoryDnsProvider({ latency: 700 }) })];
