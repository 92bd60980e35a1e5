/** HTTPS router in memory: the part of Caddy's configuration and admin API that previews use. Stands where your Caddy does. */

import { createHash, X509Certificate } from 'node:crypto';
import { createServer, type IncomingMessage, request as requestFrom, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';

/** Running router, on free ports of the loopback interface. It does not keep the process alive. */
export interface Router {
  /** Address of the admin API. */
  readonly url: string;
  /** Port of HTTPS. */
  readonly port: number;
  /** Existing routes. */
  routes(): readonly unknown[];
}

interface Handler {
  readonly handler: string;
  readonly routes?: readonly Route[];
  readonly upstreams?: readonly { readonly dial: string }[];
  readonly status_code?: number;
}

interface Route {
  readonly match?: readonly { readonly host?: readonly string[]; readonly path?: readonly string[] }[];
  readonly handle: readonly Handler[];
}

interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const routesPath = '/config/apps/http/servers/edge/routes';
const certificatesPath = '/config/apps/tls/certificates/load_pem';

const fits = (patterns: readonly string[] | undefined, value: string): boolean =>
  patterns === undefined ||
  patterns.some((one) => (one.endsWith('*') ? value.startsWith(one.slice(0, -1)) : one === value));

/** Returns the upstream of a host and a path: an address to dial, or a status. */
function found(routes: readonly Route[], host: string, path: string): string | number {
  const route = routes.find(({ match }) => match?.some((one) => fits(one.host, host) && fits(one.path, path)) ?? true);
  const [handler] = route?.handle ?? [];
  if (handler?.handler === 'subroute') return found(handler.routes ?? [], host, path);
  return handler?.upstreams?.[0]?.dial ?? handler?.status_code ?? 404;
}

/** Passes a request on to an address. */
function pass(request: IncomingMessage, response: ServerResponse, dial: string): void {
  const [host, port] = dial.split(':');
  const { method, url, headers } = request;
  const sent = requestFrom({ host, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.writeHead(502).end());
  request.pipe(sent);
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** Starts a router without routes and certificates. */
export async function startRouter(): Promise<Router> {
  const config = new Map<string, readonly unknown[]>([
    [routesPath, []],
    [certificatesPath, []],
  ]);
  const routes = () => config.get(routesPath) as readonly Route[];
  const certificates = () => config.get(certificatesPath) as readonly Certificate[];
  const tagOf = (path: string): string =>
    createHash('sha1')
      .update(JSON.stringify(config.get(path)))
      .digest('hex');

  const admin = createServer(async (request, response) => {
    const path = request.url ?? '';
    const wanted = request.headers['if-match'];
    const body = await text(request);
    if (!config.has(path)) return void response.writeHead(404).end();
    if (wanted !== undefined && wanted !== tagOf(path)) return void response.writeHead(412).end();
    if (request.method === 'PATCH') config.set(path, JSON.parse(body) as readonly unknown[]);
    response.writeHead(200, { 'content-type': 'application/json', etag: tagOf(path) });
    response.end(JSON.stringify(config.get(path)));
  });
  const front = createTlsServer(
    {
      SNICallback(name, done) {
        const own = certificates().find((one) => new X509Certificate(one.certificate).checkHost(name) !== undefined);
        if (own === undefined) done(new Error(`no certificate of ${name}`));
        else done(null, createSecureContext({ cert: own.certificate, key: own.key }));
      },
    },
    (request, response) => {
      const host = (request.headers.host ?? '').replace(/:\d+$/, '');
      const target = found(routes(), host, (request.url ?? '/').replace(/\?.*/, ''));
      if (typeof target === 'string') pass(request, response, target);
      else response.writeHead(target).end();
    },
  );
  return { url: `http://127.0.0.1:${await portOf(admin)}`, port: await portOf(front), routes };
}
