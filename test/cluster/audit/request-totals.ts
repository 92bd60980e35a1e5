/** Request counts for `apiserver_request_total`. */

import type { AuditEntry } from './entry.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** Metric verbs that differ from the method. */
const verbs: Readonly<Record<string, string>> = {
  list: 'LIST',
  watch: 'WATCH',
  deletecollection: 'DELETECOLLECTION',
};

const scopeOf = ({ name, namespace }: AuditEntry): string => {
  if (name !== undefined) return 'resource';
  return namespace === undefined ? 'cluster' : 'namespace';
};

const isDryRun = ({ url }: AuditEntry): boolean => url.includes('dryRun=All');
const pathOf = ({ url }: AuditEntry): string => url.split('?', 1)[0]!;

/** Returns the labels of a request in `apiserver_request_total`. */
function labelsOf(entry: AuditEntry): string {
  const { apiVersion, resource, subresource = '', verb, method, code } = entry;
  const [version = '', group = ''] = (apiVersion ?? '').split('/').reverse();
  const isResource = resource !== undefined;
  const labels = {
    code: String(code),
    component: isResource ? 'apiserver' : '',
    dry_run: isDryRun(entry) ? 'All' : '',
    group: isResource ? group : '',
    resource: resource ?? '',
    scope: isResource ? scopeOf(entry) : '',
    subresource: isResource ? subresource : pathOf(entry),
    verb: verbs[verb] ?? method,
    version: isResource ? version : '',
  };
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(',');
}

/** Returns a key that is equal for requests with the same labels, and cheaper to build. */
function kindOf(entry: AuditEntry): string {
  const { code, method, verb, apiVersion, resource, subresource } = entry;
  const what = resource === undefined ? pathOf(entry) : `${apiVersion} ${resource} ${subresource} ${scopeOf(entry)}`;
  return `${code} ${method} ${verb} ${isDryRun(entry)} ${what}`;
}

interface Total {
  readonly labels: string;
  count: number;
}

/** Counts of requests, by key. */
export type Totals = Map<string, Total>;

/** Adds requests to the counts and returns them. */
export function countRequests(entries: readonly AuditEntry[], totals: Totals): Totals {
  for (const entry of entries) {
    const kind = kindOf(entry);
    const known = totals.get(kind);
    if (known === undefined) totals.set(kind, { labels: labelsOf(entry), count: 1 });
    else known.count += 1;
  }
  return totals;
}

/** Sums counts by labels. */
export function totalsByLabels(...counted: readonly Totals[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const totals of counted)
    for (const { labels, count } of totals.values()) sums.set(labels, (sums.get(labels) ?? 0) + count);
  return sums;
}
