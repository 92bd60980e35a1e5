/** Built-in kinds as resources. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import type { ResourceInfo, SubresourceInfo, Verb } from '../apimachinery/resource-info.ts';
import { changedTable, type TableChanges } from '../resources/table-changes.ts';
import { builtinTable } from './builtin-table.ts';

const allVerbs = 'create,delete,deletecollection,get,list,patch,update,watch';

const verbsOf = (list: string): readonly Verb[] => list.split(',') as Verb[];

function subresourceFrom(word: string, kind: string): SubresourceInfo {
  if (word === '/status') return { name: 'status', kind, verbs: ['get', 'patch', 'update'] };
  if (word === '/scale') {
    return { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] };
  }
  const [, name = '', groupVersion, subKind = '', verbs = ''] =
    /^\/(\w+)\((?:([\w./]+)\.)?(\w+):([\w,]+)\)$/.exec(word) ?? [];
  const [group, version] = groupVersion?.split('/') ?? [];
  return {
    name,
    ...(group !== undefined && version !== undefined && { group, version }),
    kind: subKind,
    verbs: verbsOf(verbs),
  };
}

/** Returns the name of a built-in kind in the type tables: `core.Pod`, `meta.DeleteOptions`. */
export function typeNameOf(apiVersion: string, kind: string): string {
  if (kind === 'DeleteOptions') return 'meta.DeleteOptions';
  const { group, version } = parseApiVersion(apiVersion);
  return `${sectionOf(group, version)}.${kind}`;
}

/** Returns the section of the type tables for a group: `core`, `apps`, `rbac`, `autoscaling2`. */
const sectionOf = (group: string, version: string): string =>
  group === '' ? 'core' : `${group.split('.')[0]}${version === 'v2' ? '2' : ''}`.replace('rbac.authorization', 'rbac');

/** Returns the warning of a deprecated kind: since which version, and the kind to use instead, if any. */
function deprecationOf(name: string, word: string): string {
  const [since = '', instead] = word.split(',');
  const advice = instead === undefined ? '' : `; use ${instead.replace(/\.(?=\w+$)/, ' ')}`;
  return `${name} is deprecated in v${since}+${advice}`;
}

function resourceFrom(group: string, version: string, line: string): ResourceInfo {
  const [kind = '', plural = '', ...words] = line.split(/\s+/);
  const marked = (mark: string): string[] => words.filter((word) => word.startsWith(mark)).map((word) => word.slice(1));
  const is = (word: string): boolean => words.includes(word);
  const subresources = words.filter((word) => word.startsWith('/')).map((word) => subresourceFrom(word, kind));
  const [storageVersionHash] = marked('#');
  const fieldLabels = marked('?');
  const [deprecated] = marked('!');
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    namespaced: is('namespaced'),
    verbs: verbsOf(marked('=')[0] ?? allVerbs),
    shortNames: marked('-'),
    categories: marked('@'),
    subresources,
    hasStatus: subresources.some(({ name }) => name === 'status'),
    hasGeneration: is('generation'),
    deleteReturnsObject: is('returned'),
    unconditionalUpdate: is('unconditional'),
    createOnUpdate: is('upsert'),
    statusUpdatesMetadata: is('statusMetadata'),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
    ...(fieldLabels.length > 0 && { fieldLabels }),
    ...(deprecated !== undefined && { deprecationWarning: deprecationOf(`${apiVersion} ${kind}`, deprecated) }),
    type: `${sectionOf(group, version)}.${kind}`,
  };
}

function parse(table: string): readonly ResourceInfo[] {
  let group = '';
  let version = '';
  const resources: ResourceInfo[] = [];
  for (const line of table
    .trim()
    .replaceAll(/\n {4}\s*/g, ' ')
    .split('\n')) {
    if (line.startsWith(' ')) resources.push(resourceFrom(group, version, line.trim()));
    else [version = '', group = ''] = line.split('/').reverse();
  }
  return resources;
}

/** All built-in kinds at all served versions; groups in the order of discovery. */
export const builtinResources: readonly ResourceInfo[] = parse(builtinTable);

/** Returns the built-in kinds with the changes of a version. */
export const builtinResourcesWith = (changes: TableChanges = {}): readonly ResourceInfo[] =>
  Object.keys(changes).length === 0 ? builtinResources : parse(changedTable(builtinTable, changes));
