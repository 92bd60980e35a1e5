/** Config with a real name server. */

import { components } from 'workspace-sequencer/integrations/components';
import { rfc2136Dns } from 'workspace-sequencer/integrations/rfc2136/dns';

const { DNS_HOST = '127.0.0.1', DNS_PORT = '53', DNS_KEY = 'sequencer', DNS_SECRET, DNS_TARGET } = process.env;
if (!DNS_SECRET)
  throw new Error('set DNS_SECRET to the TSIG key in base64 (and DNS_HOST, DNS_PORT, DNS_KEY, DNS_TARGET)');

/** Components in the cluster, and DNS records on a real name server that takes dynamic updates signed with TSIG. */
export const integrations = [
  components(),
  rfc2136Dns({
    server: { host: DNS_HOST, port: Number(DNS_PORT) },
    key: { name: DNS_KEY, secret: DNS_SECRET },
    target: DNS_TARGET ?? '127.0.0.1',
  }),
];
