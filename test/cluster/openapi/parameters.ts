/** Parameters of OpenAPI operations. */

import type { Fields } from '../apimachinery/object.ts';

type Kind = 'string' | 'integer' | 'boolean';

/** Returns a query parameter. */
export const query = (name: string, type: Kind = 'string'): Fields => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});

/** Returns a path parameter. */
export const inPath = (name: string): Fields => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const all = (names: string, type?: Kind): readonly Fields[] => names.split(' ').map((name) => query(name, type));

const selection = [
  ...all('continue fieldSelector labelSelector resourceVersion resourceVersionMatch'),
  ...all('limit timeoutSeconds', 'integer'),
  query('sendInitialEvents', 'boolean'),
];
const watching = all('allowWatchBookmarks watch', 'boolean');
const writing = all('dryRun fieldManager fieldValidation');
const deleting = [
  ...all('dryRun propagationPolicy'),
  query('gracePeriodSeconds', 'integer'),
  ...all('ignoreStoreReadErrorWithClusterBreakingPotential orphanDependents', 'boolean'),
];

/** Query parameters by kind of operation. */
export const queries = {
  none: [],
  version: [query('resourceVersion')],
  list: [...selection, ...watching],
  write: writing,
  patch: [...writing, query('force', 'boolean')],
  delete: deleting,
  deleteMany: [...selection, ...deleting],
} as const satisfies Readonly<Record<string, readonly Fields[]>>;

const streams = all('stderr stdin stdout tty', 'boolean');

/** Query parameters of connecting subresources, by their kind. */
export const optionQueries: Readonly<Record<string, readonly Fields[]>> = {
  PodExecOptions: [...all('command container'), ...streams],
  PodAttachOptions: [query('container'), ...streams],
  PodPortForwardOptions: [query('ports', 'integer')],
  PodProxyOptions: [query('path')],
  ServiceProxyOptions: [query('path')],
  NodeProxyOptions: [query('path')],
};

/** Query parameters of logs. */
export const logQuery: readonly Fields[] = [
  ...all('container stream'),
  ...all('limitBytes sinceSeconds tailLines', 'integer'),
  ...all('follow insecureSkipTLSVerifyBackend previous timestamps', 'boolean'),
];

const nameOf = ({ name, in: place }: Fields): string => `${name} ${place}`;

/** Sorts parameters by name, as in documents. */
export const sortedParameters = (parameters: readonly Fields[]): readonly Fields[] =>
  parameters.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

/** Sorts members by name, as Go writes maps. */
export const sortedByName = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
