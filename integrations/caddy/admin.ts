/** Routes of a Caddy server, read and replaced by its admin API. */

import type { ConnectionOptions } from 'node:tls';
import type { Dispatcher } from 'undici';
import {
  type Clock,
  DefiniteError,
  errorOfRequest,
  errorOfResponse,
  messageOf,
  withDeadline,
} from '../../sdk/index.ts';
import { shortLine } from '../quoted-text.ts';
import type { CaddyRoute } from './route-table.ts';

/** Routes of a server at one time. */
export interface RouteTable {
  /** In the order in which the server tries them; undefined: its configuration has none. */
  readonly routes: readonly CaddyRoute[] | undefined;
  /** Changes with the routes. */
  readonly version: string;
}

/** Operations on a Caddy server. */
export interface CaddyAdmin {
  /** Reads all routes. @throws Error when they cannot be read */
  read(ask: { readonly signal: AbortSignal }): Promise<RouteTable>;
  /**
   * Replaces all routes, unless they have changed since they were read. @returns false when they have
   * @throws DefiniteError when it had no effect, another Error when that is unknown
   */
  replace(ask: {
    readonly before: RouteTable;
    readonly routes: readonly CaddyRoute[];
    readonly signal: AbortSignal;
  }): Promise<boolean>;
}

/** Address and bounds of an admin API. */
export interface CaddyAdminOptions {
  /** Address without a trailing slash. */
  readonly url: string;
  readonly server: string;
  readonly tls: ConnectionOptions | undefined;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
}

interface AdminResponse {
  readonly status: number;
  readonly body: unknown;
  readonly etag: string | undefined;
  readonly headers: { get(name: string): string | null };
}

/** Longest body of a response in bytes. */
const maxBodyLength = 8 * 2 ** 20;

async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += (part as Buffer).length;
    if (size > maxBodyLength) throw new Error(`returned more than ${maxBodyLength} bytes`);
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString();
}

const reasonOf = (body: unknown): string | undefined => {
  const reason: unknown = (body as { readonly error?: unknown } | undefined)?.error;
  return typeof reason === 'string' ? shortLine(reason) : undefined;
};

/** Parses a body; a refusal may have any. @throws Error when a success is not JSON */
function jsonOf(text: string, status: number): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    if (status !== 200) return undefined;
    throw new Error('returned something that is not JSON');
  }
}

/** Returns the error of a refusal. A 500 with a reason is one: the server continues with the configuration that it had. */
function refusalOf({ status, body, headers }: AdminResponse, what: string, clock: Clock): Error {
  const reason = reasonOf(body);
  const message = [what, `HTTP ${status}`, reason].filter((part) => part !== undefined).join(': ');
  if (status === 500 && reason !== undefined) return new DefiniteError(message);
  return errorOfResponse({ status, headers }, message, clock.now());
}

/** Request to an admin API. */
interface AdminRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request on a new connection, since the server closes all connections at each change of its configuration. */
async function send(
  { method, headers = {}, body }: AdminRequest,
  { url, tls }: { readonly url: URL; readonly tls: ConnectionOptions | undefined },
  signal: AbortSignal,
): Promise<AdminResponse> {
  const { Client } = await import('undici');
  const client = new Client(url.origin, { ...(tls && { connect: tls }), maxResponseSize: maxBodyLength });
  try {
    const request = { method, path: url.pathname, headers, body: body ?? null, signal, reset: true };
    const response = await client.request(request);
    const text = await textOf(response.body);
    const { statusCode: status, headers: fields, trailers } = response;
    const etag = trailers.etag ?? (fields.etag as string | undefined);
    const get = (name: string) => String(fields[name] ?? '') || null;
    return { status, body: jsonOf(text, status), etag, headers: { get } };
  } finally {
    await client.destroy();
  }
}

/** Creates a client, which keeps no connection open. */
export function caddyAdmin({ url, server, tls, clock, deadline }: CaddyAdminOptions): CaddyAdmin {
  const path = `/config/apps/http/servers/${server}/routes`;
  const target = { url: new URL(`${url.replace(/\/$/, '')}${path}`), tls };
  const ask = (request: AdminRequest, signal: AbortSignal): Promise<AdminResponse> => {
    const what = `Caddy: ${request.method} ${path}`;
    return withDeadline({ clock, deadline, signal }, (inner) =>
      send(request, target, inner).catch((error: unknown) => {
        throw errorOfRequest(error, `${what}: ${messageOf(inner.aborted ? inner.reason : error)}`);
      }),
    );
  };
  return {
    async read({ signal }) {
      const answer = await ask({ method: 'GET' }, signal);
      const { status, body, etag } = answer;
      if (status !== 200) throw refusalOf(answer, `Caddy: GET ${path}`, clock);
      if (etag === undefined) throw new Error(`Caddy: GET ${path} has no ETag: Caddy 2.5 or later is needed`);
      if (body === null) return { routes: undefined, version: etag };
      if (!Array.isArray(body) || !body.every((one) => typeof one === 'object' && one !== null))
        throw new Error(`Caddy: GET ${path} returned no list of routes`);
      return { routes: body as readonly CaddyRoute[], version: etag };
    },
    async replace({ before, routes, signal }) {
      const method = before.routes === undefined ? 'PUT' : 'PATCH';
      const headers = { 'content-type': 'application/json', 'if-match': before.version };
      const answer = await ask({ method, headers, body: JSON.stringify(routes) }, signal);
      if (answer.status === 412) return false;
      if (answer.status !== 200) throw refusalOf(answer, `Caddy: ${method} ${path}`, clock);
      return true;
    },
  };
}
