import { Writable } from 'node:stream';
import test from 'ava';
import { createCluster } from '../../../cluster/index.ts';

const version = { method: 'GET', path: '/version', origin: 'https://in-memory.cluster' } as const;

test('the shorthands of undici work: request, stream', async (t) => {
  const { dispatcher, close } = await createCluster();
  const { statusCode, body } = await dispatcher.request(version);
  t.is(statusCode, 200);
  t.is(((await body.json()) as { readonly major: string }).major, '1');
  const chunks: string[] = [];
  await dispatcher.stream(
    version,
    () =>
      new Writable({
        write: (chunk, _, done) => {
          chunks.push(String(chunk));
          done();
        },
      }),
  );
  t.regex(chunks.join(''), /"gitVersion"/);
  await close();
});

test('interceptors of undici can be put around it', async (t) => {
  const { dispatcher, close } = await createCluster();
  const seen: string[] = [];
  const composed = dispatcher.compose((dispatch) => (options, handler) => {
    seen.push(options.path);
    return dispatch(options, handler);
  });
  t.is((await composed.request(version)).statusCode, 200);
  t.deepEqual(seen, ['/version']);
  await close();
});
