/** Options of the Route 53 integration and their validation. */

import type { AwsAddress } from '../aws/client-config.ts';
import {
  type CheckedDnsServerOptions,
  checkedDnsServerOptions,
  type DnsServerOptions,
  dnsServerOptionNames,
} from '../dns/options.ts';
import { isName } from '../dns/records.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';

/** Alias in place of a CNAME to the option `target`. */
export interface TargetAlias {
  /** Name of the load balancer, without a trailing dot. */
  readonly target: string;
  /** Hosted zone of the load balancer, which AWS's documents list by region. */
  readonly hostedZoneId: string;
  readonly evaluateTargetHealth: boolean;
  /** Types of the records: A, and AAAA where it has IPv6 addresses. */
  readonly types: readonly ('A' | 'AAAA')[];
}

/** Options of {@link route53Dns}. */
export interface Route53DnsOptions extends DnsServerOptions {
  /** Id of the public hosted zone, such as `Z0123456789ABCDEFGHIJ`; its name is option `zone` then. @default found by name */
  readonly hostedZoneId?: string;
  /** Access key. @default the credential chain of the AWS SDK: environment, web identity, instance role */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** Region that requests are signed for. @default 'us-east-1' */
  readonly region?: string;
  /** Address of the API. @default AWS's */
  readonly endpoint?: string;
  /** Publishes an alias of `target`, a load balancer at AWS, in place of a CNAME. @default a CNAME */
  readonly alias?: {
    /** Hosted zone of the load balancer, which AWS lists by region. */
    readonly hostedZoneId: string;
    /** @default false */
    readonly evaluateTargetHealth?: boolean;
    /** Publishes an AAAA alias beside the A alias. @default false */
    readonly ipv6?: boolean;
  };
  /** Most requests per second, for all workspaces together: AWS allows five for all programs of an account. @default 4 */
  readonly requestsPerSecond?: number;
  /** Completes only when all name servers of Route 53 have a change (`INSYNC`), or after a time limit. @default true */
  readonly waitForSync?: boolean;
  /** Sends the requests, for tests. @default the AWS SDK's own transport */
  readonly fetch?: typeof globalThis.fetch;
}

/** {@link Route53DnsOptions} with their defaults. */
export interface CheckedRoute53Options extends CheckedDnsServerOptions {
  readonly hostedZoneId: string | undefined;
  readonly address: AwsAddress;
  readonly alias: TargetAlias | undefined;
  readonly requestsPerSecond: number;
  readonly waitForSync: boolean;
  readonly fetch: typeof globalThis.fetch | undefined;
}

const { refuse, members, wholeNumber, baseUrl, headerSecret }: OptionChecks = optionChecks('route53Dns');

const own = [
  'hostedZoneId',
  'accessKeyId',
  'secretAccessKey',
  'region',
  'endpoint',
  'alias',
  'requestsPerSecond',
  'waitForSync',
  'fetch',
] as const;

const matching = (option: string, value: unknown, [pattern, expected]: readonly [RegExp, string]): string =>
  typeof value === 'string' && pattern.test(value) ? value : refuse(option, expected, value ?? 'nothing');

const zoneId = [/^[A-Z0-9]{1,32}$/, 'an id of a hosted zone: up to 32 capital letters and digits'] as const;

function checkedAddress(options: Route53DnsOptions): AwsAddress {
  const { accessKeyId, secretAccessKey, region = 'us-east-1', endpoint } = options;
  const hasKey = accessKeyId !== undefined || secretAccessKey !== undefined;
  return {
    region: matching('region', region, [/^[a-z0-9][a-z0-9-]{0,62}$/, 'the name of a region, such as us-east-1']),
    ...(endpoint !== undefined && { endpoint: baseUrl('endpoint', endpoint) }),
    ...(hasKey && {
      accessKeyId: matching('accessKeyId', accessKeyId, [
        /^[\x21-\x7e]{3,128}$/,
        '3 to 128 printable ASCII characters without spaces',
      ]),
      secretAccessKey: headerSecret('secretAccessKey', secretAccessKey),
    }),
  };
}

function checkedAlias({ alias }: Route53DnsOptions, target: string | undefined): TargetAlias | undefined {
  if (alias === undefined) return undefined;
  members('alias', alias, ['hostedZoneId', 'evaluateTargetHealth', 'ipv6']);
  const { hostedZoneId, evaluateTargetHealth = false, ipv6 = false } = alias;
  for (const [option, value] of Object.entries({ evaluateTargetHealth, ipv6 }))
    if (typeof value !== 'boolean') refuse(`alias.${option}`, 'true or false', value);
  if (target === undefined || !isName(target) || /^[\d.:]+$/.test(target))
    return refuse('target', 'the name of a load balancer, since there is an alias', target ?? 'nothing');
  return {
    target,
    hostedZoneId: matching('alias.hostedZoneId', hostedZoneId, zoneId),
    evaluateTargetHealth,
    types: ipv6 ? ['A', 'AAAA'] : ['A'],
  };
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedRoute53Options(options: Route53DnsOptions): CheckedRoute53Options {
  members('options', options, [...own, ...dnsServerOptionNames]);
  const { hostedZoneId, requestsPerSecond = 4, waitForSync = true, fetch } = options;
  if (typeof waitForSync !== 'boolean') refuse('waitForSync', 'true or false', waitForSync);
  if (hostedZoneId !== undefined) matching('hostedZoneId', hostedZoneId, zoneId);
  if (fetch !== undefined && typeof fetch !== 'function') refuse('fetch', 'a function');
  const checked = checkedDnsServerOptions('route53Dns', options);
  if (hostedZoneId !== undefined && checked.zone === undefined)
    refuse('zone', 'the name of the hosted zone, since there is a hostedZoneId', 'nothing');
  return {
    ...checked,
    hostedZoneId,
    address: checkedAddress(options),
    alias: checkedAlias(options, checked.target),
    requestsPerSecond: wholeNumber('requestsPerSecond', requestsPerSecond, { min: 1, max: 1000 }),
    waitForSync,
    fetch,
  };
}
