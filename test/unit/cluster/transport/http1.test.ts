import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import test from 'ava';
import { http1 } from '../../../cluster/transport/http1.ts';

test('half a request is waited for only so long', async (t) => {
  const answer = () => t.fail('there is nothing to answer');
  // Long enough to read what was sent: an earlier end is a reset, which loses the answer.
  const speaker = http1(answer, { sockets: new Set(), headersTimeout: 300, userOn: () => undefined });
  t.teardown(() => speaker.close());
  const server = createServer((socket) => speaker.handle(socket as TLSSocket)).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET /version HTTP/1.1\r\nhost: ');
  t.regex(await text(client), /^HTTP\/1\.1 408 /);
});
