/** Client of the records of one zone at Cloudflare's API. */

import type { Clock } from '../../sdk/index.ts';
import { withoutDot } from '../dns/records.ts';
import { httpApi } from '../http-api.ts';
import { isObject, reasonOf, resultOf } from './envelope.ts';
import type { CloudflareRecord, RecordBatch } from './records.ts';

/** Address, credential and bounds of a zone. */
export interface CloudflareZoneOptions {
  readonly url: string;
  readonly token: string;
  readonly zoneId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
  readonly concurrency: number;
}

/** Records of a zone. */
export interface CloudflareZone {
  /** Reads all records of one name. @throws Error when they cannot be read */
  recordsAt(name: string, signal: AbortSignal): Promise<readonly CloudflareRecord[]>;
  /** Carries out all changes or none. @throws DefiniteError when they had no effect, another Error when that is unknown */
  change(batch: RecordBatch, signal: AbortSignal): Promise<void>;
}

/** Records of a page, and most pages of one name. */
const [pageSize, maxPages] = [100, 10];

const advice = {
  401: 'check option token',
  403: 'check option token: it needs the permission DNS: Edit for the zone',
  404: 'check options zoneId and baseUrl',
};

/** Reads one record. @throws Error when it is none */
function recordOf(value: unknown): CloudflareRecord {
  const { id, name, type, content, ttl, proxied, comment, created_on: created } = isObject(value) ? value : {};
  const isText = [id, name, type, content].every((member) => typeof member === 'string');
  if (!isText || typeof ttl !== 'number' || !/^[\w-]{1,64}$/.test(id as string))
    throw new Error('Cloudflare: returned a record without id, name, type, content or ttl');
  return {
    id: id as string,
    name: withoutDot(name as string),
    type: type as string,
    content: content as string,
    ttl,
    proxied: proxied === true,
    comment: typeof comment === 'string' ? comment : '',
    createdOn: Date.parse(String(created)) || 0,
  };
}

/** Creates a client, which keeps no connection open. */
export function cloudflareZone({ url, token, zoneId, ...options }: CloudflareZoneOptions): CloudflareZone {
  const headers = { authorization: `Bearer ${token}` };
  const api = httpApi({ ...options, vendor: 'Cloudflare', url, headers, reasonOf, advice });
  const path = `/zones/${zoneId}/dns_records`;
  const page = async (name: string, number: number, signal: AbortSignal): Promise<readonly CloudflareRecord[]> => {
    const query = new URLSearchParams({ 'name.exact': name, per_page: `${pageSize}`, page: `${number}` });
    const { body } = await api.request({ method: 'GET', path: `${path}?${query}`, signal });
    const result = resultOf(body, `records of ${name}`);
    if (!Array.isArray(result)) throw new Error(`Cloudflare: returned no list of records of ${name}`);
    return result.map(recordOf);
  };
  return {
    async recordsAt(name, signal) {
      const all: CloudflareRecord[] = [];
      for (let number = 1; number <= maxPages; number += 1) {
        const some = await page(name, number, signal);
        all.push(...some.filter((record) => record.name === name));
        if (some.length < pageSize) return all;
      }
      throw new Error(`Cloudflare: ${name} has more than ${pageSize * maxPages} records`);
    },
    async change(batch, signal) {
      const { body } = await api.request({ method: 'POST', path: `${path}/batch`, body: batch, signal });
      resultOf(body, 'changes');
    },
  };
}
