/** Serves a `fetch` over HTTP on the loopback address. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Server of a `fetch`. */
export interface Listener {
  readonly url: string;
  close(): void;
}

/** Starts a server that hands each request to a `fetch`. */
export async function aListener(fetch: typeof globalThis.fetch): Promise<Listener> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const body = parts.length > 0 ? { body: Buffer.concat(parts) } : {};
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await fetch(url, { method: request.method ?? 'GET', headers, ...body });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
