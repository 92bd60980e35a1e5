/** Options that the DNS integrations have in common. */

import { isIPv4, isIPv6 } from 'node:net';
import { type Clock, systemClock } from '../../sdk/index.ts';
import { DriftSchedule } from '../drift-schedule.ts';
import { optionChecks } from '../option-checks.ts';
import { type DnsNameOptions, type DnsNameRule, dnsNameRule } from './allowed-names.ts';
import { isName, withoutDot } from './records.ts';

/** Options of every DNS integration at a server. */
export interface DnsServerOptions extends DnsNameOptions {
  /** Zone of the server that contains the workspaces' zones. @default each workspace's own `spec.networking.dns.zone` */
  readonly zone?: string;
  /** Target of the names of ingress rules that have no record in `status.dns`. @default none: such names wait */
  readonly target?: string;
  /** TTL of records in seconds. @default 60 */
  readonly ttl?: number;
  /** ms until a request fails. @default 5000 */
  readonly deadline?: number;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. `Infinity`: never. @default 300 000 */
  readonly driftInterval?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Jitter of the drift checks. @default Math.random */
  readonly random?: () => number;
}

/** {@link DnsServerOptions} with their defaults. */
export interface CheckedDnsServerOptions {
  readonly allows: DnsNameRule;
  readonly driftSchedule: DriftSchedule;
  readonly zone: string | undefined;
  readonly target: string | undefined;
  /** Seconds. */
  readonly ttl: number;
  /** ms */
  readonly deadline: number;
  readonly clock: Clock;
}

/** Names of the options in {@link DnsServerOptions}. */
export const dnsServerOptionNames = [
  'zone',
  'names',
  'wildcards',
  'target',
  'ttl',
  'deadline',
  'driftInterval',
  'clock',
  'random',
] as const satisfies readonly (keyof DnsServerOptions)[];

/** Validates the common options of an integration and sets the defaults. @throws TypeError naming the first invalid option */
export function checkedDnsServerOptions(integration: string, options: DnsServerOptions): CheckedDnsServerOptions {
  const { refuse, wholeNumber } = optionChecks(integration);
  const name = (option: string, value: unknown): string =>
    typeof value === 'string' && isName(withoutDot(value)) ? withoutDot(value) : refuse(option, 'a DNS name', value);
  const { zone, target, ttl = 60, deadline = 5000, driftInterval, clock = systemClock, random } = options;
  const isAddress = typeof target === 'string' && (isIPv4(target) || isIPv6(target));
  return {
    allows: dnsNameRule(integration, options),
    driftSchedule: new DriftSchedule({ name: integration, driftInterval, clock, random }),
    zone: zone === undefined ? undefined : name('zone', zone),
    target: target === undefined || isAddress ? target : name('target', target),
    ttl: wholeNumber('ttl', ttl, { min: 0, max: 2 ** 31 - 1 }),
    deadline: wholeNumber('deadline', deadline, { min: 1, max: 600_000 }),
    clock,
  };
}
