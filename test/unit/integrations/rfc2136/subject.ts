/** Compliance subject of `rfc2136Dns`. */

import { rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
import { ExchangeError, exchange, type ServerAddress } from '../../../../integrations/rfc2136/exchange.ts';
import type { Rfc2136DnsOptions } from '../../../../integrations/rfc2136/options.ts';
import { decodeMessage, encodeMessage, rcode } from '../../../../integrations/rfc2136/wire.ts';
import type { Run, Subject } from '../../../compliance/index.ts';

/** The zone of all tests. */
export const zone = 'example.test';

const spec = (subdomain: string) => ({
  networking: {
    dns: { zone },
    ingress: { className: 'nginx', rules: [{ name: 'web', subdomain, path: '/', component: 'web', network: 'http' }] },
  },
});

/** Refusal by a server; clients accept it without a signature. */
function refusalOf(_server: ServerAddress, message: Buffer): Buffer {
  const asked = decodeMessage(message);
  return encodeMessage({ ...asked, response: true, rcode: rcode.REFUSED, answers: [], authority: [], additional: [] });
}

/** Base64 of the key that all servers of the kit know. */
export const secret = Buffer.from('a key that is kept a secret').toString('base64');

/** Compliance subject of `rfc2136Dns`, for any server. DNS has no code for throttling. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: spec('shop'),
  edited: spec('store'),
  sameName: 'exclusive',
  drift: 'mended',
  failures: { definite: refusalOf, ambiguous: () => new ExchangeError('name server: reset', true) },
  cannot: { throttled: 'name servers have no word for patience' },
};

/** Integration of one run; each message is a call. */
export const integrationOf = ({ through }: Run, options: Rfc2136DnsOptions) =>
  rfc2136Dns({ target: '192.0.2.1', random: () => 0.5, ...options, exchange: through({ exchange }).exchange });

/** Describes a listed record in words that are the same in every life: marks hold a uid. */
export const wordsOf = (name: string, type: string, value: string): string =>
  type === 'TXT' ? `${name} TXT` : `${name} ${type} ${value}`;
