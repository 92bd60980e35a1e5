import test from 'ava';
import { Pool } from 'undici';
import { openStream } from '../../../../../sdk/client/http/byte-stream.ts';
import { systemClock } from '../../../../../sdk/clock.ts';
import { startServer } from '../scripted-server.ts';

const chunk = Buffer.alloc(64 * 1024, 'x');
const chunks = 512;

test('a slow reader makes the server wait instead of filling the memory', async (t) => {
  let written = 0;
  const server = await startServer(async (_, response) => {
    response.writeHead(200);
    for (let nth = 0; nth < chunks && !response.destroyed; nth += 1) {
      if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
      written += chunk.length;
    }
    response.end();
  });
  const pool = new Pool(server.url);
  t.teardown(async () => {
    await pool.destroy();
    await server.close();
  });
  const request = { origin: server.url, method: 'GET', path: '/', headers: {} };
  const limits = { clock: systemClock, idleTimeout: 60_000, signal: new AbortController().signal };
  const outcome = await openStream(pool, request, limits);
  if (outcome.type !== 'value') return t.fail(outcome.type);

  let before = -1;
  // The server blocks once every buffer on the way is full.
  while (written !== before) {
    before = written;
    await systemClock.sleep(200);
  }
  t.true(written < (chunks * chunk.length) / 2, `${written} bytes were taken without a reader`);

  let read = 0;
  for (let got = await outcome.value.next(); got !== undefined; got = await outcome.value.next())
    for (const bytes of got) read += bytes.length;
  t.is(read, chunks * chunk.length);
});

for (const [what, every] of [
  ['without an end', 0],
  ['a byte at a time', 20],
] as const)
  test(`a stream that is refused ${what} is refused, and its connection is given up`, async (t) => {
    const closed = Promise.withResolvers<void>();
    const server = await startServer(async (_, response) => {
      response.on('close', closed.resolve);
      response.writeHead(403);
      while (!response.destroyed) {
        const isTaken = response.write(every === 0 ? chunk : ' ');
        if (!isTaken) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
        if (every > 0) await systemClock.sleep(every);
      }
    });
    const pool = new Pool(server.url);
    t.teardown(async () => {
      await pool.destroy();
      await server.close();
    });
    const request = { origin: server.url, method: 'GET', path: '/', headers: {} };
    const limits = { clock: systemClock, idleTimeout: 200, signal: new AbortController().signal };
    t.like(await openStream(pool, request, limits), { type: 'refused', answer: { status: 403 } });
    await closed.promise;
  });
