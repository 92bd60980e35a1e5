/** Sends requests to a cluster in process, for tests. */

import { request } from 'undici';
import type { Cluster } from './cluster.ts';
import type { Fields } from './objects/object.ts';

/** Answer of the cluster, with its body read and parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed JSON body; empty when the content type is not JSON. */
  readonly body: Fields;
}

/** Sends one request: method and path, such as `GET /api/v1/pods`, a body, headers. */
export type Ask = (what: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

const defaultTypes: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

/** Returns a client of a cluster's dispatcher. An array as the body of a PATCH is a JSON patch, an object a merge patch. */
export function askOf(cluster: Pick<Cluster, 'dispatcher' | 'url'>): Ask {
  return async (what, body, headers = {}) => {
    const [method = 'GET', path = '/'] = what.split(' ');
    const type = Array.isArray(body) ? 'application/json-patch+json' : (defaultTypes[method] ?? 'application/json');
    const response = await request(cluster.url + path, {
      dispatcher: cluster.dispatcher,
      method: method as 'GET',
      headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.body.text();
    const isJson = text !== '' && String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as Fields) : {},
    };
  };
}

/** One event line of a watch. */
export interface WatchLine {
  readonly type: string;
  readonly object: Fields & { readonly metadata: Fields };
}

/** Open watch. */
export interface OpenWatch {
  /** Resolves with the next `count` lines, or with fewer when the server ends the stream before. */
  take(count: number): Promise<readonly WatchLine[]>;
  /** Closes the connection, as a client does. */
  close(): void;
}

/** Opens a watch in process; resolves when its response headers have arrived. */
export async function watchOf(
  { dispatcher, url }: Pick<Cluster, 'dispatcher' | 'url'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenWatch> {
  const { body } = await request(url + path, { dispatcher, headers });
  const lines: WatchLine[] = [];
  const chunks = body[Symbol.asyncIterator]();
  return {
    async take(count) {
      while (lines.length < count) {
        const { value, done } = await chunks.next();
        if (done) break;
        for (const line of String(value).split('\n')) if (line !== '') lines.push(JSON.parse(line) as WatchLine);
      }
      return lines.splice(0, count);
    },
    close: () => body.destroy(),
  };
}
