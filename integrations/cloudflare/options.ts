/** Options of the Cloudflare integration and their validation. */

import {
  type CheckedDnsServerOptions,
  checkedDnsServerOptions,
  type DnsServerOptions,
  dnsServerOptionNames,
} from '../dns/options.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import type { CloudflareZoneOptions } from './zone.ts';

/** Options of {@link cloudflareDns}. */
export interface CloudflareDnsOptions extends DnsServerOptions {
  /** API token with the permission DNS: Edit for the zone. */
  readonly token: string;
  /** Id of the zone: 32 hexadecimal digits, on its overview page. */
  readonly zoneId: string;
  /** Name of the zone. It contains the workspaces' zones. */
  readonly zone: string;
  /** Address of the API. @default 'https://api.cloudflare.com/client/v4' */
  readonly baseUrl?: string;
  /** Most requests at a time, for all workspaces together. @default 4 */
  readonly concurrency?: number;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** {@link CloudflareDnsOptions} with their defaults. */
export interface CheckedCloudflareOptions extends CheckedDnsServerOptions, CloudflareZoneOptions {
  readonly zone: string;
}

const { refuse, members, wholeNumber, baseUrl: checkedUrl, headerSecret }: OptionChecks = optionChecks('cloudflareDns');

const own = ['token', 'zoneId', 'baseUrl', 'concurrency', 'fetch'] as const;

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedCloudflareOptions(options: CloudflareDnsOptions): CheckedCloudflareOptions {
  members('options', options, [...own, ...dnsServerOptionNames]);
  const { token, zoneId, baseUrl = 'https://api.cloudflare.com/client/v4', concurrency = 4 } = options;
  const { fetch = globalThis.fetch } = options;
  if (typeof zoneId !== 'string' || !/^[0-9a-f]{32}$/.test(zoneId))
    refuse('zoneId', '32 hexadecimal digits', zoneId ?? 'nothing');
  if (typeof fetch !== 'function') refuse('fetch', 'a function');
  const checked = checkedDnsServerOptions('cloudflareDns', options);
  const { zone = refuse('zone', 'a DNS name', 'nothing'), ttl } = checked;
  if (ttl !== 1) wholeNumber('ttl', ttl, { min: 30, max: 86_400 });
  return {
    ...checked,
    zone,
    token: headerSecret('token', token),
    zoneId,
    url: checkedUrl('baseUrl', baseUrl),
    concurrency: wholeNumber('concurrency', concurrency, { min: 1, max: 1000 }),
    fetch,
  };
}
