/** Compliance subject of `powerdnsDns`. */

import { powerdnsDns } from '../../../../integrations/powerdns/dns.ts';
import type { PowerdnsDnsOptions } from '../../../../integrations/powerdns/options.ts';
import { httpFailures, type IntegrationContext, type Subject } from '../../../compliance/index.ts';
import { specOf } from '../fixtures/a-dns-spec.ts';
import type { StoredRrset } from './stand-in.ts';

/** Compliance subject of `powerdnsDns`, for any server. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: specOf('shop'),
  edited: specOf('store'),
  sameName: 'exclusive',
  drift: 'fixed',
  failures: httpFailures,
};

/** Integration of one run. */
export const integrationOf = ({ fetch }: IntegrationContext, options: PowerdnsDnsOptions) =>
  powerdnsDns({ target: '192.0.2.1', random: () => 0.5, ...options, fetch });

/** Describes an RRset in words that are the same in every life: marks hold a uid. */
export const wordsOf = ({ name, type, records }: Pick<StoredRrset, 'name' | 'type' | 'records'>): string =>
  type === 'TXT' ? `${name} TXT` : `${name} ${type} ${records.map(({ content }) => content).join(' ')}`;
