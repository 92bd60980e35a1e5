import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { type FlushBatch, type WriteBatch, WriteBatching } from '../../../cluster/transport/write-batching.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const [a, b, c] = [bytes('a\n'), bytes('b\n'), bytes('c\n')];

function stream() {
  const parcels: WriteBatch[] = [];
  const deliver: FlushBatch = (parcel) => void parcels.push(parcel);
  return { parcels, deliver, texts: () => parcels.map(({ bytes: all }) => Buffer.from(all).toString()) };
}

test('what a stream is given in one turn goes out at once, in order', async (t) => {
  const gathering = new WriteBatching();
  const { deliver, texts, parcels } = stream();
  for (const chunk of [a, b, c]) gathering.add(deliver, chunk);
  t.deepEqual(texts(), []);
  await turn();
  t.deepEqual(texts(), ['a\nb\nc\n']);
  t.is(Buffer.from(parcels[0]!.framed).toString(), '6\r\na\nb\nc\n\r\n');
  gathering.add(deliver, b);
  await turn();
  t.deepEqual(texts(), ['a\nb\nc\n', 'b\n']);
});

test('streams that were given the same chunks share the bytes, others do not', async (t) => {
  const gathering = new WriteBatching();
  const [one, two, other] = [stream(), stream(), stream()];
  for (const { deliver } of [one, two]) for (const chunk of [a, b]) gathering.add(deliver, chunk);
  for (const chunk of [b, a]) gathering.add(other.deliver, chunk);
  await turn();
  t.is(one.parcels[0]!.framed, two.parcels[0]!.framed);
  t.is(one.parcels[0]!.bytes, two.parcels[0]!.bytes);
  t.deepEqual(other.texts(), ['b\na\n']);
});

test('a stream that ends gets the rest at once, and one whose reader has gone nothing more', async (t) => {
  const gathering = new WriteBatching();
  const [ended, gone] = [stream(), stream()];
  gathering.add(ended.deliver, a);
  gathering.add(gone.deliver, a);
  gathering.hurry(ended.deliver);
  gathering.drop(gone.deliver);
  t.deepEqual(ended.texts(), ['a\n']);
  await turn();
  t.deepEqual(ended.texts(), ['a\n']);
  t.deepEqual(gone.texts(), []);
});
