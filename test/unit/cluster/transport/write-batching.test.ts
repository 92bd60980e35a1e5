import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { type FlushBatch, type WriteBatch, WriteBatching } from '../../../cluster/transport/write-batching.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const [a, b, c] = [bytes('a\n'), bytes('b\n'), bytes('c\n')];

function stream() {
  const batches: WriteBatch[] = [];
  const flush: FlushBatch = (batch) => void batches.push(batch);
  return { batches, flush, texts: () => batches.map(({ bytes: all }) => Buffer.from(all).toString()) };
}

test('what a stream is given in one turn goes out at once, in order', async (t) => {
  const batching = new WriteBatching();
  const { flush, texts, batches } = stream();
  for (const chunk of [a, b, c]) batching.add(flush, chunk);
  t.deepEqual(texts(), []);
  await turn();
  t.deepEqual(texts(), ['a\nb\nc\n']);
  t.is(Buffer.from(batches[0]!.framed).toString(), '6\r\na\nb\nc\n\r\n');
  batching.add(flush, b);
  await turn();
  t.deepEqual(texts(), ['a\nb\nc\n', 'b\n']);
});

test('streams that were given the same chunks share the bytes, others do not', async (t) => {
  const batching = new WriteBatching();
  const [one, two, other] = [stream(), stream(), stream()];
  for (const { flush } of [one, two]) for (const chunk of [a, b]) batching.add(flush, chunk);
  for (const chunk of [b, a]) batching.add(other.flush, chunk);
  await turn();
  t.is(one.batches[0]!.framed, two.batches[0]!.framed);
  t.is(one.batches[0]!.bytes, two.batches[0]!.bytes);
  t.deepEqual(other.texts(), ['b\na\n']);
});

test('a stream that ends gets the rest at once, and one whose reader has gone nothing more', async (t) => {
  const batching = new WriteBatching();
  const [ended, gone] = [stream(), stream()];
  batching.add(ended.flush, a);
  batching.add(gone.flush, a);
  batching.flushNow(ended.flush);
  batching.drop(gone.flush);
  t.deepEqual(ended.texts(), ['a\n']);
  await turn();
  t.deepEqual(ended.texts(), ['a\n']);
  t.deepEqual(gone.texts(), []);
});
