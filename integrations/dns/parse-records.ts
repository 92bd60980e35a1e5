/** Parses the records of servers whose API represents the content of a record as a text. */

import { type DnsRecord, recordTypes, withoutDot } from './records.ts';
import { textOfTxtContent } from './txt-content.ts';

/** Record of a server. */
export interface ContentRecord {
  /** Full name in lower case, without a trailing dot. */
  readonly name: string;
  readonly type: string;
  /** Target in the presentation format of zone files. */
  readonly content: string;
  /** TTL in seconds. */
  readonly ttl: number;
}

function targetOf(type: DnsRecord['type'], content: string): string {
  if (type === 'TXT') return textOfTxtContent(content);
  return type === 'CNAME' ? withoutDot(content) : content;
}

/** Parses the records of the requested types. */
export const parseDnsRecords = (
  zone: string,
  present: readonly ContentRecord[],
  types: readonly DnsRecord['type'][] = recordTypes,
): readonly DnsRecord[] =>
  types.flatMap((type) =>
    present
      .filter((record) => record.type === type)
      .map(({ name, content, ttl }) => ({ zone, name, type, target: targetOf(type, content), ttl })),
  );
