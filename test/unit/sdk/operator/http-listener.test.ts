import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import test from 'ava';
import { createHttpListener } from '../../../../sdk/operator/http-listener.ts';

test('it listens until the signal, and says where', async (t) => {
  const lines: string[] = [];
  const logger = { info: (about: object, text: string) => void lines.push(`${text}: ${Object.keys(about)}`) };
  const listener = createHttpListener({ name: 'box', port: 0, host: '127.0.0.1', logger, about: { path: '/' } });
  const stop = new AbortController();
  const serving = listener.serve(
    createServer((_, response) => void response.end('here')),
    stop.signal,
  );
  const port = await listener.listening;
  t.is(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'here');
  t.deepEqual(lines, ['box listens: address,port,path']);
  stop.abort();
  await serving;
  await t.throwsAsync(fetch(`http://127.0.0.1:${port}/`));
});

test('a port that is taken rejects, and so does a stop before it listens', async (t) => {
  const stop = new AbortController();
  const first = createHttpListener({ name: 'first', port: 0, host: '127.0.0.1' });
  const serving = first.serve(createServer(), stop.signal);
  const second = createHttpListener({ name: 'second', port: await first.listening, host: '127.0.0.1' });
  await t.throwsAsync(second.serve(createServer(), stop.signal), { code: 'EADDRINUSE' });
  await t.throwsAsync(second.listening, { code: 'EADDRINUSE' });
  stop.abort();
  await serving;
  const third = createHttpListener({ name: 'third', port: 0 });
  await third.serve(createServer(), AbortSignal.abort());
  await t.throwsAsync(third.listening, { message: 'the third was stopped' });
});

for (const [title, drain, expected] of [
  ['without a drain requests under way are cut off', 0, 'cut off'],
  ['with a drain requests under way come to their end', 60_000, 'late'],
] as const)
  test(title, async (t) => {
    const listener = createHttpListener({ name: 'box', port: 0, host: '127.0.0.1', drain });
    const stop = new AbortController();
    const taken = Promise.withResolvers<ServerResponse>();
    const serving = listener.serve(
      createServer((_, response) => taken.resolve(response)),
      stop.signal,
    );
    const port = await listener.listening;
    const answer = (async () => {
      const [message] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
      return (await message.toArray()).join('');
    })().catch(() => 'cut off');
    const response = await taken.promise;
    stop.abort();
    response.end('late');
    t.is(await answer, expected);
    await serving;
  });
