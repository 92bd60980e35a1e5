/** Minimal client of the API server for tests. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** Address of an API server, and the credential of the caller. */
export interface ApiAddress {
  readonly url: string;
  readonly token: string;
  /** PEM. */
  readonly ca: string;
}

/** Answer: its HTTP status and its parsed JSON, or its text when it is not JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Request: method, path and body. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** @default application/json, application/merge-patch+json for PATCH */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** One line of a watch. */
export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Readonly<Record<string, unknown>>;
}

/** Minimal client of an API server: node:https without any code of the product's client, so that the latter is not tested with itself. */
export interface Api {
  /** Sends a request and returns any status; throws when no answer came within 30 s. */
  ask(request: ApiRequest): Promise<ApiAnswer>;
  /** Lines of one watch, until the server ends it; throws when the signal aborts or the connection breaks. */
  watch(path: string, signal: AbortSignal): AsyncIterable<WatchLine>;
  /** Closes idle connections. */
  close(): void;
}

const maxAnswerLength = 30_000;

/** Connects on first use. */
export function createApi({ url, token, ca }: ApiAddress): Api {
  const agent = new Agent({ keepAlive: true, ca });

  const send = async ({ method = 'GET', path, body, contentType, signal }: ApiRequest): Promise<IncomingMessage> => {
    const type = contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
    const json = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': type,
      'content-length': Buffer.byteLength(json), // node omits it for a DELETE, and the body would be parsed as the next request
    };
    const sent = request(new URL(path, url), { method, agent, headers, signal });
    sent.end(json);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  };

  return {
    async ask(options) {
      const deadline = AbortSignal.timeout(maxAnswerLength);
      const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
      const answer = await send({ ...options, signal });
      return { status: answer.statusCode!, body: parsed(await text(answer)) };
    },
    async *watch(path, signal) {
      const answer = await send({ path, signal });
      if (answer.statusCode !== 200) throw new Error(`watch of ${path}: ${answer.statusCode} ${await text(answer)}`);
      let rest = '';
      for await (const part of answer.setEncoding('utf8')) {
        const lines = `${rest}${part}`.split('\n');
        rest = lines.pop()!;
        for (const line of lines) yield JSON.parse(line) as WatchLine;
      }
    },
    close: () => agent.destroy(),
  };
}

async function text(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let all = '';
  for await (const part of answer) all += part;
  return all;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
