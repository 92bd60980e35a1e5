/** Builds URL paths of API resources. */

import type { Kind } from '../../api/kind.ts';
import type { ObjectKey } from '../../api/object.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
type ResourceAddress = Pick<Kind, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>;

/** Encodes one path segment; rejects values that would address another path (`DELETE .../pods/` deletes them all). */
function segment(value: string | undefined, description: string): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${description} is missing`);
  if (value === '.' || value === '..' || /[/%]/.test(value))
    throw new TypeError(`${description} ${JSON.stringify(value)} may not be ".", ".." or contain "/" or "%"`);
  return encodeURIComponent(value);
}

const rootOf = ({ group, version }: ResourceAddress): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** Returns the path of a kind's collection, in one namespace or in all. */
export const collectionPath = (kind: ResourceAddress, namespace?: string): string =>
  kind.namespaced && namespace !== undefined
    ? `${rootOf(kind)}/namespaces/${segment(namespace, `the namespace of a ${kind.kind}`)}/${kind.plural}`
    : `${rootOf(kind)}/${kind.plural}`;

/** Returns the path for the creation of an object. @throws TypeError for a namespaced kind without a namespace */
export const creationPath = (kind: ResourceAddress, namespace: string | undefined): string =>
  collectionPath(kind, namespace ?? '');

/** Returns the path of an object, or of a subresource of it. @throws TypeError when the key is invalid for the kind */
export function objectPath(kind: ResourceAddress, { namespace, name }: ObjectKey, subresource?: string): string {
  const last = segment(name, `the name of a ${kind.kind}`);
  if (kind.namespaced && namespace === undefined)
    throw new TypeError(`the namespace of ${kind.kind} ${JSON.stringify(name)} is missing`);
  const path = `${collectionPath(kind, namespace)}/${last}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Appends the query; undefined and false members are omitted. */
export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
