/** Compliance subject of `cloudflareDns`. */

import { httpFailures, type Subject } from '../../../compliance/index.ts';
import { specOf, zone } from '../a-dns-spec.ts';
import type { StoredRecord } from './zone-records.ts';

/** Zone and token of the tests. */
export const account = { token: 'a-token-that-nobody-else-may-see', zoneId: '0123456789abcdef'.repeat(2), zone };

/** Id of the account of the tests. */
export const accountId = 'fedcba9876543210'.repeat(2);

/** Compliance subject of `cloudflareDns`, without its third party. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'tag',
  spec: specOf('shop'),
  edited: specOf('store'),
  secrets: [account.token],
  sameName: 'exclusive',
  drift: 'mended',
  failures: httpFailures,
};

/** Describes a record with its id. */
export const thingOf = ({ id, name, type, content }: StoredRecord) => ({ id, what: `${name} ${type} ${content}` });
