import type { AuditEntry } from './entry.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** Verbs of metrics where they are not the method. */
const verbs: Readonly<Record<string, string>> = {
  list: 'LIST',
  watch: 'WATCH',
  deletecollection: 'DELETECOLLECTION',
};

const scopeOf = ({ name, namespace }: AuditEntry): string => {
  if (name !== undefined) return 'resource';
  return namespace === undefined ? 'cluster' : 'namespace';
};

/** The labels of a request as `apiserver_request_total` has them. */
function labelsOf(entry: AuditEntry): string {
  const { apiVersion, resource, subresource = '', verb, method, url, code } = entry;
  const [version = '', group = ''] = (apiVersion ?? '').split('/').reverse();
  const isResource = resource !== undefined;
  const labels = {
    code: String(code),
    component: isResource ? 'apiserver' : '',
    dry_run: /[?&]dryRun=All\b/.test(url) ? 'All' : '',
    group: isResource ? group : '',
    resource: resource ?? '',
    scope: isResource ? scopeOf(entry) : '',
    subresource: isResource ? subresource : (url.split('?', 1)[0] ?? ''),
    verb: verbs[verb] ?? method,
    version: isResource ? version : '',
  };
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(',');
}

/** Adds requests to what was counted by their labels, and returns it. */
export function countRequests(entries: readonly AuditEntry[], totals: Map<string, number>): Map<string, number> {
  for (const entry of entries) {
    const labels = labelsOf(entry);
    totals.set(labels, (totals.get(labels) ?? 0) + 1);
  }
  return totals;
}
