/** The command `sequencer etcd`: stands in for etcd in envtest, and only responds to health checks. */

import { createServer } from 'node:http';
import { createInterrupt } from '../../../sdk/host/index.ts';
import { aborted, messageOf, UserError } from '../../../sdk/index.ts';
import { type Command, commonOptions } from '../args/command.ts';
import { lastOf, serverFlagsOf } from './server-flags.ts';

const refuse = (what: string, cause?: unknown): UserError => new UserError('E#2030', `etcd: ${what}`, { cause });

/** Parses etcd's listen address. @throws UserError E#2030 */
function addressIn(urls: string): { readonly host: string; readonly port: number } {
  const url = URL.parse(urls.split(',')[0] ?? '');
  if (url?.protocol !== 'http:')
    throw refuse(`--listen-client-urls needs http://ADDRESS:PORT; found ${JSON.stringify(urls)}`);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) };
}

/** `sequencer etcd`: responds to health checks only. The API server stores all objects in memory. */
export const etcd: Command = {
  name: 'etcd',
  summary: 'stand-in of etcd for test suites: see sequencer envtest',
  operands: '-- [FLAG]...',
  options: commonOptions,
  examples: [['sequencer etcd -- --listen-client-urls=http://127.0.0.1:2379', 'reports that it is healthy']],
  async run({ operands }) {
    using interrupt = createInterrupt();
    const { host, port } = addressIn(lastOf(serverFlagsOf(operands), 'listen-client-urls') ?? 'http://127.0.0.1:2379');
    const server = createServer((request, response) => {
      const isHealth = request.url === '/health' || request.url?.startsWith('/health?') === true;
      response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
      response.end(isHealth ? '{"health":"true","reason":""}' : '{}');
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    }).catch((error) => {
      throw refuse(`cannot listen on ${host}:${port}: ${messageOf(error)}`, error);
    });
    await aborted(interrupt.signal);
    server.close();
    server.closeAllConnections();
    return 0;
  },
};
