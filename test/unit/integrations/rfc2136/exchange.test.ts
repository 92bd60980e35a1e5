import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { ExchangeError, exchange, frame, unframe } from '../../../../integrations/rfc2136/exchange.ts';
import { systemClock } from '../../../../sdk/index.ts';

const options = { deadline: 5_000, clock: systemClock, signal: new AbortController().signal };

/** A server that handles each connection with `handle`. */
async function serving(t: ExecutionContext, handle: (socket: Socket) => void) {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

test('a message has its length in front, and is read only when it is whole', (t) => {
  const framed = frame(Buffer.from('hello'));
  t.is(framed.toString('hex'), `0005${Buffer.from('hello').toString('hex')}`);
  t.is(unframe(framed)?.toString(), 'hello');
  t.is(unframe(Buffer.concat([framed, Buffer.from('more')]))?.toString(), 'hello');
  for (let length = 0; length < framed.length; length += 1) t.is(unframe(framed.subarray(0, length)), undefined);
});

test('an answer may come byte by byte', async (t) => {
  const address = await serving(t, (socket) => {
    socket.once('data', async (chunk) => {
      for (const byte of frame(Buffer.from(`you said ${unframe(chunk)}`))) {
        socket.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  });
  t.is((await exchange(address, Buffer.from('hi'), options)).toString(), 'you said hi');
});

test('a connection that ends in the middle of an answer is not an answer', async (t) => {
  const address = await serving(t, (socket) => {
    socket.once('data', () => socket.end(frame(Buffer.from('hello')).subarray(0, 4)));
  });
  const error = await t.throwsAsync(exchange(address, Buffer.from('hi'), options), { instanceOf: ExchangeError });
  t.true(error?.sent);
  t.regex(error?.message ?? '', /^name server 127\.0\.0\.1:\d+: closed the connection without an answer$/);
});

test('the connection is closed once the answer is there', async (t) => {
  const closed = Promise.withResolvers<void>();
  const address = await serving(t, (socket) => {
    socket.once('data', () => socket.write(frame(Buffer.from('hello'))));
    socket.once('close', () => closed.resolve());
    socket.on('error', () => undefined);
  });
  await exchange(address, Buffer.from('hi'), options);
  await t.notThrowsAsync(closed.promise);
});

test('a host that does not exist was never sent anything', async (t) => {
  const error = await t.throwsAsync(exchange({ host: 'name.invalid', port: 53 }, Buffer.from('hi'), options), {
    instanceOf: ExchangeError,
  });
  t.false(error?.sent);
});
