/** Self-check of challenge responses over HTTP, from the perspective of an authority. */

import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Address at which the routes of all names are served. */
export interface ServedAt {
  readonly host: string;
  readonly port: number;
  /** Port of redirects to HTTPS. @default 443 */
  readonly securePort?: number;
}

/** Timeout in ms of one check, including redirects. */
const deadline = 10_000;
/** Most redirects that are followed. */
const maxRedirects = 3;
/** Maximum bytes that are read of a response. */
const maxLength = 2_000;

async function get(url: URL, at: ServedAt | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const { request } = isSecure ? await import('node:https') : await import('node:http');
  const { hostname: name, host } = url;
  const port = isSecure ? (at?.securePort ?? 443) : (at?.port ?? 80);
  const options = {
    ...{ host: at?.host ?? name, port, path: url.pathname, signal, agent: false, maxHeaderSize: 8_192 },
    headers: { host, 'user-agent': 'workspace-sequencer' },
    ...(isSecure && { servername: name, rejectUnauthorized: false }), // authorities do not verify it either
  };
  return new Promise((resolve, reject) => {
    request(options, resolve)
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        reject(new Error(`HTTP ${statusCode}`));
      })
      .on('error', reject)
      .end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > maxLength) break;
  }
  return text.slice(0, maxLength).trimEnd();
}

/**
 * Returns the location of a redirect; undefined unless it is on the same host and at the port of its protocol. The host is a tenant's, and must not
 * choose a port of the routes' address.
 */
function redirected({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined || !URL.canParse(location, from.href))
    return undefined;
  const to = new URL(location, from);
  return to.hostname === from.hostname && to.port === '' && /^https?:$/.test(to.protocol) ? to : undefined;
}

/**
 * Reads the response at `http://<host><path>`. Redirects to the same host are followed, at ports 80 and 443. @param at address to use instead of the one in DNS
 * @throws Error describing any other response than a text
 */
export async function servedText(
  { host, path }: { readonly host: string; readonly path: string },
  signal: AbortSignal,
  at?: ServedAt,
): Promise<string> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${deadline} ms`)), deadline);
  const bounded = AbortSignal.any([signal, late.signal]);
  try {
    return await followed(new URL(`http://${host}${path}`), bounded, at);
  } catch (error) {
    throw bounded.aborted ? bounded.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the text at a URL, or at those that it redirects to. */
async function followed(from: URL, signal: AbortSignal, at: ServedAt | undefined): Promise<string> {
  let url = from;
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await get(url, at, signal);
    if (response.statusCode === 200) return textOf(response);
    response.destroy();
    const next = redirected(response, url);
    if (next === undefined) throw new Error(`HTTP ${response.statusCode}`);
    url = next;
  }
  throw new Error('too many redirects');
}

/** Reads an address such as `192.0.2.7:8080`, `[2001:db8::7]:80` or `ingress.infra.svc`; undefined when it is none. */
export function servedAtOf(value: unknown): ServedAt | undefined {
  if (typeof value !== 'string' || value.length > 300) return undefined;
  const [, bracketed, plain = '', port = '80'] = /^(?:\[([^\]]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const isHost = bracketed === undefined ? plain !== '' : isIPv6(bracketed);
  return isHost && Number(port) > 0 && Number(port) <= 65_535
    ? { host: bracketed ?? plain, port: Number(port) }
    : undefined;
}
