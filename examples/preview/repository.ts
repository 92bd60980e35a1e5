/** Repository of the example, at an embedded code host that sends webhooks to a port of this machine. */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startCodeHost } from './code-host.ts';

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const repository = 'acme/shop';
export const token = randomBytes(16).toString('hex');
export const webhook = { port: await freePort(), secret: randomBytes(32).toString('hex') };
export const codeHost = await startCodeHost({
  repository,
  token,
  webhook: { url: `http://127.0.0.1:${webhook.port}/webhook`, secret: webhook.secret },
});
