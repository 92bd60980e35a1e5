import test from 'ava';
import { SseParser } from '../../../../../../sequencer/page/browser/model/sse-parser.ts';

test('messages come out whole, however they arrive', (t) => {
  const text = 'event: rows\ndata: {"a":1}\n\n: a comment\n\nevent: process\ndata: {}\n\n';
  for (const size of [1, 3, 7, 1000]) {
    const parser = new SseParser();
    const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const messages = parts.flatMap((part) => parser.feed(part)).filter(({ data }) => data !== '');
    t.deepEqual(messages, [
      { event: 'rows', data: '{"a":1}' },
      { event: 'process', data: '{}' },
    ]);
  }
});

test('a message without an end is refused', (t) => {
  const parser = new SseParser();
  const part = 'x'.repeat(9_000_000);
  parser.feed(part);
  t.throws(() => parser.feed(part), { instanceOf: RangeError });
});
