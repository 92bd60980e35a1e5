import { type ResourcePath, routeOf } from './routes.ts';

/** What a request wants to do, in the words of RBAC. */
export interface Attributes {
  /** `get`, `list`, `watch`, `deletecollection`; for paths that are no resources the method in lower case. */
  readonly verb: string;
  /** The path as sent, without its query. */
  readonly path: string;
  /** What the path names; undefined for paths that are no resources. */
  readonly resource: ResourcePath | undefined;
  /** The namespace it happens in; a namespace's own name for the namespace itself. */
  readonly namespace: string | undefined;
  /** The one object it is about; a list with a field selector of one name is about that one. */
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

/** Reads what a request wants from its method and its URL. */
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
