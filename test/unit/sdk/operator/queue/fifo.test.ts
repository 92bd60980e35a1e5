import test from 'ava';
import fc from 'fast-check';
import { Fifo } from '../../../../../sdk/operator/queue/fifo.ts';

test('gives keys out in the order they came, each once, whatever is taken out in between', (t) => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const step = fc.record({ do: fc.constantFrom('add' as const, 'delete' as const, 'take' as const), key });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const fifo = new Fifo();
      let expected: string[] = [];
      for (const { do: action, key: one } of steps) {
        if (action === 'take') t.is(fifo.take(), expected.shift());
        else if (action === 'delete') {
          t.is(fifo.delete(one), expected.includes(one));
          expected = expected.filter((other) => other !== one);
        } else {
          fifo.add(one);
          if (!expected.includes(one)) expected.push(one);
        }
        t.is(fifo.size, expected.length);
      }
    }),
    { numRuns: 300 },
  );
});
