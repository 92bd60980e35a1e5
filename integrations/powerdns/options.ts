/** Options of the PowerDNS integration and their validation. */

import {
  type CheckedDnsServerOptions,
  checkedDnsServerOptions,
  type DnsServerOptions,
  dnsServerOptionNames,
} from '../dns/options.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import type { PowerdnsServerOptions } from './server.ts';

/** Options of {@link powerdnsDns}. */
export interface PowerdnsDnsOptions extends DnsServerOptions {
  /** Address of the server's webserver, such as `https://ns1.example.com:8081`; `/api/v1` is appended. */
  readonly url: string;
  /** Key of the API: the server's setting `api-key`. */
  readonly apiKey: string;
  /** Id of the server within its API. @default 'localhost' */
  readonly serverId?: string;
  /** Writes the workspace's uid as a comment of each RRset; the server's backend must store comments. @default false */
  readonly comments?: boolean;
  /** Most requests at a time, for all workspaces together. @default 4 */
  readonly concurrency?: number;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** {@link PowerdnsDnsOptions} with their defaults. */
export interface CheckedPowerdnsOptions extends CheckedDnsServerOptions, PowerdnsServerOptions {
  readonly comments: boolean;
}

const { refuse, members, wholeNumber, baseUrl, headerSecret }: OptionChecks = optionChecks('powerdnsDns');

const own = ['url', 'apiKey', 'serverId', 'comments', 'concurrency', 'fetch'] as const;

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedPowerdnsOptions(options: PowerdnsDnsOptions): CheckedPowerdnsOptions {
  members('options', options, [...own, ...dnsServerOptionNames]);
  const { url, apiKey, serverId = 'localhost', comments = false, concurrency = 4, fetch = globalThis.fetch } = options;
  if (typeof serverId !== 'string' || !/^[\w.-]{1,253}$/.test(serverId))
    refuse('serverId', 'an id of letters, digits, _, . and -', serverId);
  if (typeof comments !== 'boolean') refuse('comments', 'true or false', comments);
  if (typeof fetch !== 'function') refuse('fetch', 'a function');
  return {
    ...checkedDnsServerOptions('powerdnsDns', options),
    url: baseUrl('url', url),
    apiKey: headerSecret('apiKey', apiKey),
    serverId,
    comments,
    concurrency: wholeNumber('concurrency', concurrency, { min: 1, max: 1000 }),
    fetch,
  };
}
