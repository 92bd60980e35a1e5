/** Options of the RFC 2136 integration and their validation. */

import {
  type CheckedDnsServerOptions,
  checkedDnsServerOptions,
  type DnsServerOptions,
  dnsServerOptionNames,
} from '../dns/options.ts';
import { withoutDot } from '../dns/records.ts';
import { isHost } from '../endpoints.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import { type Exchange, exchange } from './exchange.ts';
import type { NameServerOptions } from './name-server.ts';
import { labelsOf } from './names.ts';
import { type Algorithm, algorithms } from './tsig.ts';

/** Options of {@link rfc2136Dns}. */
export interface Rfc2136DnsOptions extends DnsServerOptions {
  /** Primary server of the zone. @default port 53 */
  readonly server: { readonly host: string; readonly port?: number };
  /** TSIG key: its name and algorithm as on the server, the secret in base64. @default algorithm 'hmac-sha256' */
  readonly key: { readonly name: string; readonly algorithm?: Algorithm; readonly secret: string };
  /**
   * Allowed clock skew in seconds. It also limits how long a request with a lost response may still be carried out, so it must not exceed the time
   * that the sequencer waits for one. @default 15
   */
  readonly fudge?: number;
  /** Transport of the messages, for tests. @default over TCP */
  readonly exchange?: Exchange;
}

/** Options with their defaults, the secret as bytes. */
export interface CheckedOptions extends NameServerOptions, CheckedDnsServerOptions {}

const { refuse, members, wholeNumber }: OptionChecks = optionChecks('rfc2136Dns');

function keyName(value: unknown): string {
  const expected = 'a DNS name';
  if (typeof value !== 'string' || value === '' || value === '.')
    return refuse('key.name', expected, value ?? 'nothing');
  try {
    labelsOf(value);
  } catch (error) {
    throw new TypeError(`rfc2136Dns: key.name must be ${expected}`, { cause: error });
  }
  return withoutDot(value);
}

/** Decodes the secret; it is never quoted in a message. */
function secretOf(secret: unknown): Buffer {
  const pattern = /^[A-Za-z0-9+/]+={0,2}$/;
  if (typeof secret !== 'string' || secret.length % 4 !== 0 || !pattern.test(secret))
    return refuse('key.secret', "base64, as in the server's key statement");
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
export function checkedOptions(options: Rfc2136DnsOptions): CheckedOptions {
  members('options', options, ['server', 'key', ...dnsServerOptionNames, 'fudge', 'exchange']);
  members('server', options.server, ['host', 'port']);
  members('key', options.key, ['name', 'algorithm', 'secret']);
  const { server, key, fudge = 15 } = options;
  if (!isHost(server.host)) refuse('server.host', 'a name or an address', server.host);
  return {
    ...checkedDnsServerOptions('rfc2136Dns', options),
    server: { host: server.host, port: wholeNumber('server.port', server.port ?? 53, { min: 1, max: 65535 }) },
    key: {
      name: keyName(key.name),
      algorithm: algorithmOf(key.algorithm ?? 'hmac-sha256'),
      secret: secretOf(key.secret),
    },
    fudge: wholeNumber('fudge', fudge, { min: 1, max: 300 }),
    exchange: options.exchange ?? exchange,
  };
}
