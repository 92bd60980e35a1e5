/** Options of the RFC 2136 integration and their validation. */

import { isIPv4, isIPv6 } from 'node:net';
import { type Clock, refuseUnknown } from '../../sdk/index.ts';
import { type DnsNameOptions, type DnsNameRule, dnsNameRule } from '../dns-names.ts';
import type { DriftScheduleOptions } from '../drift-schedule.ts';
import { type Exchange, exchange } from './exchange.ts';
import type { NameServerOptions } from './name-server.ts';
import { labelsOf } from './names.ts';
import { type Algorithm, algorithms } from './tsig.ts';

/** Options of {@link rfc2136Dns}. */
export interface Rfc2136DnsOptions extends DnsNameOptions {
  /** Primary server of the zone. @default port 53 */
  readonly server: { readonly host: string; readonly port?: number };
  /** TSIG key: its name and algorithm as on the server, the secret in base64. @default algorithm 'hmac-sha256' */
  readonly key: { readonly name: string; readonly algorithm?: Algorithm; readonly secret: string };
  /** Zone of the server that contains the workspaces' zones. @default each workspace's own `spec.networking.dns.zone` */
  readonly zone?: string;
  /** Target of the names of ingress rules that have no record in `status.dns`. @default none: such names wait */
  readonly target?: string;
  /** TTL of records in seconds. @default 60 */
  readonly ttl?: number;
  /**
   * Allowed clock skew in seconds. It also limits how long a request with a lost response may still be carried out, so it must not exceed the time
   * that the sequencer waits for one. @default 15
   */
  readonly fudge?: number;
  /** ms until a request fails. @default 5000 */
  readonly deadline?: number;
  /** Longest interval in ms between two looks for external changes: each comes up to a quarter earlier. `Infinity`: never. @default 300 000 */
  readonly driftInterval?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Jitter of the looks. @default Math.random */
  readonly random?: () => number;
  /** Transport of the messages, for tests. @default over TCP */
  readonly exchange?: Exchange;
}

/** Options with their defaults, the secret as bytes. */
export interface CheckedOptions extends NameServerOptions, Omit<DriftScheduleOptions, 'name'> {
  readonly allows: DnsNameRule;
  readonly zone: string | undefined;
  readonly target: string | undefined;
  /** TTL in seconds. */
  readonly ttl: number;
}

const known = [
  'server',
  'key',
  'zone',
  'names',
  'wildcards',
  'target',
  'ttl',
  'fudge',
  'deadline',
  'driftInterval',
  'clock',
  'random',
  'exchange',
];

function refuse(option: string, expected: string, found?: unknown): never {
  const seen = found === undefined ? '' : `, not ${JSON.stringify(found)}`;
  throw new TypeError(`rfc2136Dns: ${option} must be ${expected}${seen}`);
}

function wholeNumber(
  option: string,
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    refuse(option, `a whole number from ${min} to ${max}`, value);
  return value;
}

function part(option: string, value: unknown, members: readonly string[]): void {
  if (typeof value !== 'object' || value === null)
    refuse(option, `an object { ${members.join(', ')} }`, value ?? 'nothing');
  refuseUnknown(`rfc2136Dns: ${option}`, value, members);
}

function dnsName(option: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.') refuse(option, 'a DNS name', value ?? 'nothing');
  try {
    labelsOf(value);
  } catch (error) {
    throw new TypeError(`rfc2136Dns: ${option} must be a DNS name`, { cause: error });
  }
  return value.toLowerCase().replace(/\.$/, '');
}

/** Returns the target as a DNS name; an address is returned unchanged. */
const target = (value: string): string => (isIPv4(value) || isIPv6(value) ? value : dnsName('target', value));

/** Decodes the secret; it is never quoted in a message. */
function secretOf(secret: unknown): Buffer {
  const pattern = /^[A-Za-z0-9+/]+={0,2}$/;
  if (typeof secret !== 'string' || secret.length % 4 !== 0 || !pattern.test(secret))
    refuse('key.secret', "base64, as in the server's key statement");
  return Buffer.from(secret, 'base64');
}

function algorithmOf(algorithm: unknown): Algorithm {
  const found = Object.keys(algorithms).find((name) => name === algorithm);
  return (
    (found as Algorithm | undefined) ??
    refuse('key.algorithm', `one of ${Object.keys(algorithms).join(', ')}`, algorithm)
  );
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedOptions(options: Rfc2136DnsOptions, clock: Clock): CheckedOptions {
  part('options', options, known);
  part('server', options.server, ['host', 'port']);
  part('key', options.key, ['name', 'algorithm', 'secret']);
  const { server, key, zone, ttl = 60, fudge = 15, deadline = 5000 } = options;
  if (typeof server.host !== 'string' || server.host === '') refuse('server.host', 'a name or an address', server.host);
  return {
    server: { host: server.host, port: wholeNumber('server.port', server.port ?? 53, { min: 1, max: 65535 }) },
    key: {
      name: dnsName('key.name', key.name),
      algorithm: algorithmOf(key.algorithm ?? 'hmac-sha256'),
      secret: secretOf(key.secret),
    },
    allows: dnsNameRule('rfc2136Dns', options),
    zone: zone === undefined ? undefined : dnsName('zone', zone),
    target: options.target === undefined ? undefined : target(options.target),
    ttl: wholeNumber('ttl', ttl, { min: 0, max: 2 ** 31 - 1 }),
    fudge: wholeNumber('fudge', fudge, { min: 1, max: 300 }),
    deadline: wholeNumber('deadline', deadline, { min: 1, max: 600_000 }),
    driftInterval: options.driftInterval,
    clock: options.clock ?? clock,
    random: options.random,
    exchange: options.exchange ?? exchange,
  };
}
