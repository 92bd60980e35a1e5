import type { AuditEntry } from './entry.ts';

/** Whose requests are meant; everything given must hold. */
export interface AuditFilter {
  /** The user's name. */
  readonly user?: string;
  /** Some part of the User-Agent header. */
  readonly userAgent?: string;
  /** Only requests from this time on, ms since the epoch by the cluster's clock. */
  readonly since?: number;
}

const names: Readonly<Record<keyof AuditFilter, true>> = { user: true, userAgent: true, since: true };

/** The entries that are meant. Throws a TypeError for members that a filter does not have. */
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
