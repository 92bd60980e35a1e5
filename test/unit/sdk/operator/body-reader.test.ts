import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import test from 'ava';
import { createBodyReader, type HeldBody } from '../../../../sdk/operator/body-reader.ts';

const aRequest = (chunks: Iterable<string> | AsyncIterable<string>, length?: number) =>
  Object.assign(Readable.from(chunks, { objectMode: false }), {
    headers: length === undefined ? {} : { 'content-length': `${length}` },
  }) as unknown as IncomingMessage;

const textOf = async (read: Promise<HeldBody>) => {
  const held = await read;
  return 'body' in held ? held.body.toString() : held.status;
};

test('a body is read whole; one that is too long is not, announced or not', async (t) => {
  const bodies = createBodyReader({ each: 5, all: 100 });
  t.is(await textOf(bodies.read(aRequest(['ab', 'cde']))), 'abcde');
  t.deepEqual(await bodies.read(aRequest(['ab', 'cdef'])), { status: 413 });
  t.deepEqual(await bodies.read(aRequest([], 6)), { status: 413 });
});

test('bodies count until they are released, whatever becomes of them', async (t) => {
  const bodies = createBodyReader({ each: 5, all: 6 });
  const held = await bodies.read(aRequest(['abcd']));
  t.deepEqual(await bodies.read(aRequest(['xyz'])), { status: 503 });
  t.is(await textOf(bodies.read(aRequest(['xy']))), 'xy');
  if ('release' in held) {
    held.release();
    held.release();
  }
  t.is(await textOf(bodies.read(aRequest(['wxyz']))), 'wxyz');
});

test('a body that breaks off does not count', async (t) => {
  const bodies = createBodyReader({ each: 5, all: 5 });
  const breaking = (async function* () {
    yield 'abcd';
    throw new Error('gone');
  })();
  await t.throwsAsync(bodies.read(aRequest(breaking)), { message: 'gone' });
  t.is(await textOf(bodies.read(aRequest(['abcde']))), 'abcde');
});
