/** Entries of the request log. */

import { attributesOf } from '../requests/attributes.ts';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';

/** Request and its result. */
export interface AuditEntry {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Verb as in RBAC: `get`, `list`, `watch`, `deletecollection`; for non-resource paths the method in lower case. */
  readonly verb: string;
  /** API version such as `v1` or `apps/v1`; undefined for non-resource paths, as the next four. */
  readonly apiVersion: string | undefined;
  /** Plural, such as `pods`. */
  readonly resource: string | undefined;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly user: string;
  readonly userAgent: string;
  /** HTTP status of the answer; 0 when the connection was lost before it. */
  readonly code: number;
  /** Time of arrival by the cluster's clock, in ms since the epoch. */
  readonly at: number;
  /** True when it changed the stored objects. */
  readonly changed: boolean;
}

/** Result of a request. */
export interface Outcome {
  /** Answer; undefined when the connection was lost. */
  readonly response: ApiResponse | undefined;
  readonly at: number;
  /** Revision of the cluster before and after. */
  readonly before: number;
  readonly after: number;
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const versionOf = ({ body }: ApiResponse): number | undefined => {
  const [, version] = /"resourceVersion":"(\d+)"/.exec(typeof body === 'string' ? body : '') ?? [];
  return version === undefined ? undefined : Number(version);
};

/** Reports whether a request changed the store; the answer's resourceVersion decides, since other clients may have written meanwhile. */
function hasChanged({ method, url }: ApiRequest, { response, before, after }: Outcome): boolean {
  if (after === before || reading.has(method) || /[?&]dryRun=/.test(url)) return false;
  if (response === undefined) return true;
  if (response.status >= 300) return false;
  return (versionOf(response) ?? after) > before || method === 'DELETE';
}

/** Builds the entry of a request. */
export function auditEntryOf(request: ApiRequest, outcome: Outcome): AuditEntry {
  const { method, url, user, headers } = request;
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
    code: outcome.response?.status ?? 0,
    at: outcome.at,
    changed: hasChanged(request, outcome),
  };
}
