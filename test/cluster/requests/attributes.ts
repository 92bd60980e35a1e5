/** Derives RBAC attributes from requests. */

import { type ResourcePath, routeOf } from './routes.ts';

/** Attributes of a request, in the terms of RBAC. */
export interface Attributes {
  /** `get`, `list`, `watch`, `deletecollection` and so on; the lower-case method for non-resource paths. */
  readonly verb: string;
  /** Path as sent, without its query. */
  readonly path: string;
  /** Resource that the path names; undefined for non-resource paths. */
  readonly resource: ResourcePath | undefined;
  /** Namespace of the resource; for a Namespace its own name. */
  readonly namespace: string | undefined;
  /** Name of the object; a list whose field selector names one object is a request for that object. */
  readonly name: string | undefined;
}

const objectVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const collectionVerbs: Readonly<Record<string, string>> = {
  GET: 'list',
  HEAD: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};

function verbOf(resource: ResourcePath, method: string, query: URLSearchParams | undefined): string | undefined {
  if (resource.legacyWatch) return 'watch';
  if (resource.name !== undefined) return objectVerbs[method];
  const watch = query?.get('watch') ?? undefined;
  const isWatch = method === 'GET' && watch !== undefined && watch !== 'false' && watch !== '0';
  return isWatch ? 'watch' : collectionVerbs[method];
}

const selectedName = (query: URLSearchParams | undefined): string | undefined =>
  /(?:^|,)metadata\.name==?([^,]+)(?:,|$)/.exec(query?.get('fieldSelector') ?? '')?.[1];

/** Parses the method and URL of a request. */
export function attributesOf(method: string, url: string): Attributes {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const route = routeOf(path);
  if (route.to !== 'resource') {
    return { verb: method.toLowerCase(), path, resource: undefined, namespace: undefined, name: undefined };
  }
  const query = mark === -1 ? undefined : new URLSearchParams(url.slice(mark + 1));
  const resource = route.path;
  const isNamespace = resource.apiVersion === 'v1' && resource.plural === 'namespaces';
  return {
    verb: verbOf(resource, method, query) ?? method.toLowerCase(),
    path,
    resource,
    namespace: isNamespace ? resource.name : resource.namespace,
    name: method === 'POST' && resource.subresource === undefined ? undefined : (resource.name ?? selectedName(query)),
  };
}
