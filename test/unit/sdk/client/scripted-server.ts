/** HTTP server that follows a script. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { type ClientOptions, createClient } from '../../../../sdk/client/http/create-client.ts';

/** A received request. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Number of the connection, from 1. */
  readonly connection: number;
}

export type Script = (arrival: Arrival, response: ServerResponse, nth: number) => unknown;

export interface ScriptedServer {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Number of connections opened so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Starts an HTTP server that follows a test's script, for cases that an API server does not produce on request: hang, reset, stall, refuse. */
export async function startServer(script: Script): Promise<ScriptedServer> {
  const arrivals: Arrival[] = [];
  const numbers = new WeakMap<object, number>();
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const arrival = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      connection: numbers.get(request.socket) ?? 0,
    };
    arrivals.push(arrival);
    script(arrival, response, arrivals.length);
  });
  server.on('connection', (socket) => {
    connections += 1;
    numbers.set(socket, connections);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    get connections() {
      return connections;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON; other headers must have been set on the response before. */
export function answer(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Refuses with a status code and, if given, a Retry-After header. */
export function refuse(response: ServerResponse, code: number, retryAfter?: string): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  answer(response, code, failure(code, 'Busy', 'too busy'));
}

/** A pod as a server returns it. */
export const podNamed = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a', name, resourceVersion: '7', managedFields: [{ manager: 'kubelet' }] },
});

type Options = { [Name in keyof ClientOptions]?: ClientOptions[Name] } & { readonly connections?: number };

/** Starts a server that follows the script and a client of it without credentials; both end with the test. */
export async function setUp(t: ExecutionContext, script: Script, options: Options = {}) {
  const server = await startServer(script);
  const client = clientOf(server, options);
  t.teardown(async () => {
    await client.close();
    await server.close();
  });
  return { server, client };
}

/** A client without credentials or jitter. */
export const clientOf = ({ url }: Pick<ScriptedServer, 'url'>, options: Options = {}) =>
  createClient({
    connection: { server: url, credentials: () => ({ headers: {}, tls: {} }) },
    random: () => 0,
    ...options,
  } as ClientOptions);

/** A failure Status as API servers return it. */
export const failure = (code: number, reason: string, message = reason) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  code,
});
