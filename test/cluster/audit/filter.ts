/** Filters the request log. */

import type { AuditEntry } from './entry.ts';

/** Filter of requests; all given members must match. */
export interface AuditFilter {
  /** Name of the user. */
  readonly user?: string;
  /** Substring of the User-Agent header. */
  readonly userAgent?: string;
  /** Earliest time, in ms since the epoch by the cluster's clock. */
  readonly since?: number;
}

const names: Readonly<Record<keyof AuditFilter, true>> = { user: true, userAgent: true, since: true };

/** Returns the matching entries. Throws a TypeError for unknown members of the filter. */
export function entriesOf(
  entries: readonly AuditEntry[],
  filter: AuditFilter,
  more: readonly string[] = [],
): readonly AuditEntry[] {
  const unknown = Object.keys(filter).find((name) => !(name in names) && !more.includes(name));
  if (unknown !== undefined) {
    const known = [...Object.keys(names), ...more].join(', ');
    throw new TypeError(`there is no ${JSON.stringify(unknown)} to choose requests by; there are ${known}`);
  }
  const { user, userAgent, since } = filter;
  return entries.filter(
    (entry) =>
      (user === undefined || entry.user === user) &&
      (userAgent === undefined || entry.userAgent.includes(userAgent)) &&
      (since === undefined || entry.at >= since),
  );
}
