import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { createHealthServer } from '../../../../sdk/operator/health-server.ts';
import { createHttpListener } from '../../../../sdk/operator/http-listener.ts';

/** Opens connections that say nothing. @returns them, and those that were closed */
async function silent(port: number, count: number) {
  const closed: Socket[] = [];
  const sockets: Socket[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.once('close', () => closed.push(socket));
    await once(socket, 'connect');
    sockets.push(socket);
  }
  return { sockets, closed };
}

test('a client that opens connections without an end loses the oldest of them, and a probe is answered', async (t) => {
  const health = createHealthServer({ port: 0, host: '127.0.0.1' });
  const stop = new AbortController();
  const running = health.run(stop.signal);
  const port = await health.listening;
  const { sockets, closed } = await silent(port, 1_100);
  t.is((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
  t.true(closed.length >= 100 && closed.every((socket) => sockets.indexOf(socket) < 200), String(closed.length));
  stop.abort();
  await running;
});

test('a request under way keeps its connection, however many others come', async (t) => {
  const taken = Promise.withResolvers<() => void>();
  const server = createServer((_, response) => taken.resolve(() => response.end('done')));
  const listener = createHttpListener({ name: 'box', port: 0, host: '127.0.0.1', maxConnections: 3 });
  const stop = new AbortController();
  const serving = listener.serve(server, stop.signal);
  const port = await listener.listening;
  const answer = fetch(`http://127.0.0.1:${port}/`);
  const end = await taken.promise;
  await silent(port, 10);
  end();
  t.is(await (await answer).text(), 'done');
  stop.abort();
  await serving;
});

test('requests that never end count as idle: clients that send them slowly keep no other out', async (t) => {
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    request.resume();
    request.once('end', () => response.end('done'));
  });
  const listener = createHttpListener({ name: 'box', port: 0, host: '127.0.0.1', maxConnections: 3 });
  const stop = new AbortController();
  const serving = listener.serve(server, stop.signal);
  t.teardown(() => stop.abort());
  const port = await listener.listening;
  const { sockets, closed } = await silent(port, 3);
  let begun = 0;
  const allBegun = new Promise<void>((resolve) => {
    server.on('request', () => {
      begun += 1;
      if (begun === 3) resolve();
    });
  });
  for (const socket of sockets) socket.write('POST / HTTP/1.1\r\nhost: box\r\ncontent-length: 100\r\n\r\na');
  await allBegun;
  t.is(await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'whole' })).text(), 'done');
  t.deepEqual(closed, sockets.slice(0, 1), 'the oldest of them has gone');
  stop.abort();
  await serving;
});
