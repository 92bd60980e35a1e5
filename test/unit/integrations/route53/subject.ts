/** Compliance subject of `route53Dns`. */

import { route53Dns } from '../../../../integrations/route53/dns.ts';
import type { Route53DnsOptions } from '../../../../integrations/route53/options.ts';
import { httpFailures, type IntegrationContext, type Subject } from '../../../compliance/index.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import type { StoredZone } from './stand-in.ts';
import type { StoredSet } from './zone-rules.ts';

/** Credential of the tests. */
export const credential = { accessKeyId: 'AKIATEST', secretAccessKey: 'a-key-that-nobody-else-may-see' };

/** Zone of the tests, beside others of the same account. */
export const zones: readonly StoredZone[] = [
  { id: 'ZOTHER', name: 'other.test' },
  { id: 'ZPRIVATE', name: zone, isPrivate: true },
  { id: 'ZPUBLIC', name: zone },
];

/** Compliance subject of `route53Dns`, without its third party. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: specOf('shop'),
  edited: specOf('store'),
  secrets: [credential.secretAccessKey],
  sameName: 'exclusive',
  drift: 'fixed',
  failures: httpFailures,
};

/** Integration of one run. */
export const integrationOf = ({ fetch }: IntegrationContext, options: Route53DnsOptions = {}) =>
  route53Dns({ ...credential, target: '192.0.2.1', random: () => 0.5, ...options, fetch });

/** Describes a set in words that are the same in every life: marks hold a uid. */
export const wordsOf = ({ name, type, values }: Pick<StoredSet, 'name' | 'type' | 'values'>): string =>
  type === 'TXT' ? `${name} TXT` : `${name} ${type} ${values.join(' ')}`;
