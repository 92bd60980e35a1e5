import { request } from 'undici';
import type { Cluster } from './cluster.ts';
import type { Fields } from './objects/object.ts';

/** An answer of the cluster, its body read and parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The JSON body; empty when it is no JSON. */
  readonly body: Fields;
}

/** One request: method and path, such as `GET /api/v1/pods`, an object to send, headers. */
export type Ask = (what: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

const defaultTypes: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

/** Asks a cluster in process, over its dispatcher. A list as the body of a PATCH is a JSON patch, an object a merge patch. */
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
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as Fields) : {},
    };
  };
}
