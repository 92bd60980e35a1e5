/** Routing of the page's requests, and the refusal of invalid ones before any lookup. */

import type { IncomingHttpHeaders } from 'node:http';

/** Request to the page. */
export interface PageRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Rules of a page. */
export interface PageRules {
  /** Accepted host names are those of the machine itself, as a protection against DNS rebinding. */
  readonly loopback: boolean;
  /** Names of the actions, requested by POST. */
  readonly actions: ReadonlySet<string>;
}

/** Decision about a request. */
export type PageTarget =
  | { readonly kind: 'asset'; readonly path: string }
  | { readonly kind: 'live'; readonly token: string; readonly workspace: string | undefined }
  | {
      readonly kind: 'action';
      readonly token: string;
      readonly name: string;
      readonly workspace: string | undefined;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string };

/** Headers of all responses. The content security policy allows only the page's own script and connections to its own origin. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const local = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
/** Longest credential that is checked, in characters. */
const maxTokenLength = 16_384;
/** Longest key of a workspace: two DNS names. */
const maxKeyLength = 512;

const refused = (status: number, text: string): PageTarget => ({ kind: 'refused', status, text });

const tokenOf = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  authorization.length <= maxTokenLength ? /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1] : undefined;

/** Reports whether a browser sent the request from this very page; other programs send no Origin. */
const isOwnOrigin = ({ origin, host = '' }: IncomingHttpHeaders): boolean =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`;

function routeOfApi({ method, headers }: PageRequest, url: URL, { actions }: PageRules): PageTarget {
  const token = tokenOf(headers);
  if (token === undefined) return refused(401, 'Authorization: Bearer TOKEN is missing');
  const key = url.searchParams.get('workspace') ?? undefined;
  const workspace = key !== undefined && key.length <= maxKeyLength ? key : undefined;
  if (url.pathname === '/api/live')
    return method === 'GET' ? { kind: 'live', token, workspace } : refused(405, 'GET only');
  const name = url.pathname.slice('/api/'.length);
  if (!actions.has(name)) return refused(404, 'not found');
  if (method !== 'POST') return refused(405, 'POST only');
  if (!isOwnOrigin(headers)) return refused(403, 'the request comes from a page of another site');
  return { kind: 'action', token, name, workspace };
}

/** Returns the target of a request, or its refusal. Pure. */
export function pageTargetOf(request: PageRequest, rules: PageRules): PageTarget {
  const { method, headers } = request;
  if (rules.loopback && !local.test(headers.host ?? ''))
    return refused(421, 'this page answers to localhost and 127.0.0.1 only');
  const url = URL.parse(request.url, 'http://page');
  if (url === null || !request.url.startsWith('/')) return refused(400, 'no path');
  if (url.pathname.startsWith('/api/')) return routeOfApi(request, url, rules);
  if (method !== 'GET' && method !== 'HEAD') return refused(405, 'GET or HEAD');
  return { kind: 'asset', path: url.pathname };
}
