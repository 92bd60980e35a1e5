/** Hands requests on to an HTTP server, and loses answers when told to. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Requests of which one answer is lost. */
export interface LostAnswer {
  readonly method: string;
  readonly path: RegExp;
  /** Called when the server has answered, before the connection is cut. */
  readonly onAnswer?: () => void;
}

/** A proxy before one server, on the loopback address. */
export interface LossyProxy {
  /** Address of the same path as the server's. */
  readonly url: string;
  /** Cuts the connection of the next such request after the server has answered it; several queue. Resolves when that has happened. */
  lose(answer: LostAnswer): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy before the server of that address. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const { hostname, port, pathname } = new URL(target);
  const lost: (LostAnswer & { readonly happened: () => void })[] = [];
  const lossOf = ({ method, url = '' }: IncomingMessage) => {
    const at = lost.findIndex((one) => one.method === method && one.path.test(url));
    return at === -1 ? undefined : lost.splice(at, 1)[0];
  };
  const handOn = (asked: IncomingMessage, response: ServerResponse): void => {
    const { method, url: path, headers } = asked;
    const loss = lossOf(asked);
    const cut = () => void response.destroy();
    const sent = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      if (loss === undefined) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response).on('error', cut);
        return;
      }
      answer.resume().once('end', () => {
        loss.onAnswer?.();
        cut();
        loss.happened();
      });
    });
    sent.on('error', cut);
    asked.pipe(sent);
  };
  const server = createServer(handOn);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    lose: (answer) => new Promise((happened) => void lost.push({ ...answer, happened })),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
