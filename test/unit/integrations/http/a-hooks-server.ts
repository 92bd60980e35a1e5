/** Server of hooks on the loopback interface: a stand-in for each path. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from '../../../../sdk/index.ts';
import { type HooksStandIn, hooksStandIn, type StandInOptions } from './stand-in.ts';

/** Running server. */
export interface HooksServer {
  readonly url: string;
  /** Stand-ins by path. */
  readonly places: ReadonlyMap<string, HooksStandIn>;
  close(): void;
}

/** Starts one on a free port; with a certificate and its key by HTTPS. */
export async function startHooksServer({
  tls,
  ...options
}: Omit<StandInOptions, 'clock'> & {
  readonly tls?: { readonly certificate: string; readonly key: string };
}): Promise<HooksServer> {
  const places = new Map<string, HooksStandIn>();
  const answering = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = '/', method = 'GET' } = request;
    const place = places.get(url) ?? hooksStandIn({ ...options, clock: systemClock });
    places.set(url, place);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await place.fetch(url, { method, headers, body: await text(request) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  };
  const server =
    tls === undefined
      ? createServer(answering)
      : createSecureServer({ cert: tls.certificate, key: tls.key }, answering);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    places,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
