import type { ApiRequest, ApiResponse } from './http/message.ts';
import { routeOf } from './http/routes.ts';

/** One answered request. */
export interface AuditEntry {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** As RBAC names it: `get`, `list`, `watch`, `deletecollection`; for paths that are no resources the method in lower case. */
  readonly verb: string;
  /** `v1`, `apps/v1`; undefined, as the next four, for paths that are no resources. */
  readonly apiVersion: string | undefined;
  /** The plural, such as `pods`. */
  readonly resource: string | undefined;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly user: string;
  readonly userAgent: string;
  /** The HTTP status of the answer. */
  readonly code: number;
}

const objectVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const collectionVerbs: Readonly<Record<string, string>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };

/** The record of one request and its answer. */
export function auditEntryOf({ method, url, user, headers }: ApiRequest, { status }: ApiResponse): AuditEntry {
  const [pathname = '', query = ''] = url.split('?', 2);
  const route = routeOf(pathname);
  const path = route.to === 'resource' ? route.path : undefined;
  const isWatch = path?.legacyWatch || (path?.name === undefined && new URLSearchParams(query).get('watch') === 'true');
  const verbs = path?.name === undefined ? collectionVerbs : objectVerbs;
  const verb = path === undefined ? undefined : isWatch ? 'watch' : verbs[method];
  return {
    method,
    url,
    verb: verb ?? method.toLowerCase(),
    apiVersion: path?.apiVersion,
    resource: path?.plural,
    subresource: path?.subresource,
    namespace: path?.namespace,
    name: path?.name,
    user: user.name,
    userAgent: headers['user-agent'] ?? '',
    code: status,
  };
}
