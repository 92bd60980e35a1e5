/** Expectations on clients: no write loops, no idle writes, bounded lists, back-off. */

import type { AuditEntry } from './entry.ts';
import { type AuditFilter, entriesOf } from './filter.ts';

/** Failed expectation, with the offending requests. */
export class AuditError extends Error {
  override readonly name = 'AuditError';
  readonly entries: readonly AuditEntry[];

  constructor(message: string, entries: readonly AuditEntry[]) {
    const shown = entries
      .slice(0, 10)
      .map((entry) => `  ${entry.method} ${entry.url} ${entry.code} (${entry.userAgent})`);
    const more = entries.length > shown.length ? [`  and ${entries.length - shown.length} more`] : [];
    super([message, ...shown, ...more].join('\n'));
    this.entries = entries;
  }
}

/** Threshold of a write loop. */
export interface WriteLoopOptions extends AuditFilter {
  /** Maximum of writes by one client to one object `within` that time. @default 10 */
  readonly most?: number;
  /** Time window in ms. @default 10_000 */
  readonly within?: number;
  /** Plurals that are exempt. @default leases and events */
  readonly except?: readonly string[];
}

/** Options of the back-off expectation. */
export interface BackoffOptions extends AuditFilter {
  /** Minimum delay between a refusal and the retry, in ms. @default 100 */
  readonly least?: number;
}

const writing: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Returns the key of a client and the object of its request. */
const subjectOf = ({ user, userAgent, apiVersion, resource, subresource, namespace, name }: AuditEntry): string =>
  [user, userAgent, apiVersion, resource, namespace, name, subresource].join(' ');

const bySubject = (entries: readonly AuditEntry[]): readonly AuditEntry[][] => [
  ...Map.groupBy(entries, subjectOf).values(),
];

const shownObject = ({ resource, namespace, name }: AuditEntry): string =>
  `${resource} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`;

/** Throws when a client writes the same object too often. Creations count only if the path names the object, as POST does not. */
export function expectNoWriteLoop(all: readonly AuditEntry[], options: WriteLoopOptions = {}): void {
  const { most = 10, within = 10_000, except = ['leases', 'events'], ...filter } = options;
  const writes = entriesOf(all, filter).filter(
    ({ verb, name, resource = '' }) => writing.has(verb) && name !== undefined && !except.includes(resource),
  );
  for (const entries of bySubject(writes)) {
    const start = entries.findIndex((entry, index) => {
      const last = entries[index + most];
      return last !== undefined && last.at - entry.at <= within;
    });
    if (start === -1) continue;
    const looping = entries.slice(start).filter(({ at }) => at - entries[start]!.at <= within);
    throw new AuditError(
      `${looping[0]!.userAgent} has written ${shownObject(looping[0]!)} ${looping.length} times within ${within} ms; at most ${most} were expected`,
      looping,
    );
  }
}

/** Throws when an update or patch changed nothing. Server-side apply may repeat itself. */
export function expectNoIdleWrites(all: readonly AuditEntry[], filter: AuditFilter = {}): void {
  const idle = entriesOf(all, filter).filter(
    ({ verb, changed, code, url }) =>
      (verb === 'update' || verb === 'patch') &&
      code < 300 &&
      code > 0 &&
      !changed &&
      !/[?&](dryRun|fieldManager)=/.test(url),
  );
  if (idle.length > 0) throw new AuditError(`${idle.length} writes have changed nothing`, idle);
}

/** Throws for a list without a limit that is not served from the cache (`resourceVersion=0`); its cost is unbounded. */
export function expectBoundedLists(all: readonly AuditEntry[], filter: AuditFilter = {}): void {
  const unbounded = entriesOf(all, filter).filter(({ verb, resource, url }) => {
    if (verb !== 'list' || resource === undefined) return false;
    const query = new URLSearchParams(url.split('?', 2)[1]);
    return !query.has('limit') && query.get('resourceVersion') !== '0';
  });
  if (unbounded.length > 0)
    throw new AuditError(`${unbounded.length} lists had neither limit nor resourceVersion=0`, unbounded);
}

const isRefusal = ({ code }: AuditEntry): boolean => code === 409 || code === 429 || code >= 500 || code === 0;

/** Throws when a request was retried too soon after 409, 429, 5xx or a lost connection. */
export function expectBackoff(all: readonly AuditEntry[], options: BackoffOptions = {}): void {
  const { least = 100, ...filter } = options;
  for (const entries of bySubject(entriesOf(all, filter))) {
    const tooEarly = entries.findIndex((entry, index) => {
      const next = entries[index + 1];
      return isRefusal(entry) && next?.verb === entry.verb && next.at - entry.at < least;
    });
    if (tooEarly === -1) continue;
    const [first, next] = [entries[tooEarly]!, entries[tooEarly + 1]!];
    throw new AuditError(
      `${first.userAgent} has tried again ${next.at - first.at} ms after ${first.code || 'no answer'}; at least ${least} were expected`,
      [first, next],
    );
  }
}
