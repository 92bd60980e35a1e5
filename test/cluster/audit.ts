import { attributesOf } from './http/attributes.ts';
import type { ApiRequest, ApiResponse } from './http/message.ts';

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

/** The record of one request and its answer. */
export function auditEntryOf({ method, url, user, headers }: ApiRequest, { status }: ApiResponse): AuditEntry {
  const { verb, resource } = attributesOf(method, url);
  return {
    method,
    url,
    verb,
    apiVersion: resource?.apiVersion,
    resource: resource?.plural,
    subresource: resource?.subresource,
    namespace: resource?.namespace,
    name: resource?.name,
    user: user.name,
    userAgent: headers['user-agent'] ?? '',
    code: status,
  };
}
