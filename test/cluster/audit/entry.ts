import { attributesOf } from '../http/attributes.ts';
import type { ApiRequest, ApiResponse } from '../http/message.ts';

/** One request, and how it ended. */
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
  /** The HTTP status of the answer; 0 when the connection was lost before there was one. */
  readonly code: number;
  /** When it came, by the cluster's clock, ms since the epoch. */
  readonly at: number;
  /** Whether it has changed what the cluster holds. */
  readonly changed: boolean;
}

/** What is known of a request besides itself. */
export interface Outcome {
  /** Undefined when the connection was lost. */
  readonly response: ApiResponse | undefined;
  readonly at: number;
  /** The cluster's revision before and after it. */
  readonly before: number;
  readonly after: number;
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const versionOf = ({ body }: ApiResponse): number | undefined => {
  const [, version] = /"resourceVersion":"(\d+)"/.exec(typeof body === 'string' ? body : '') ?? [];
  return version === undefined ? undefined : Number(version);
};

/** Others may have written meanwhile: where the answer has a version, it counts. */
function hasChanged({ method, url }: ApiRequest, { response, before, after }: Outcome): boolean {
  if (after === before || reading.has(method) || /[?&]dryRun=/.test(url)) return false;
  if (response === undefined) return true;
  if (response.status >= 300) return false;
  return (versionOf(response) ?? after) > before || method === 'DELETE';
}

/** The record of one request. */
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
