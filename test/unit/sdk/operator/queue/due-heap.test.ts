import test from 'ava';
import fc from 'fast-check';
import { type DueEntry, DueHeap } from '../../../../../sdk/operator/queue/due-heap.ts';

test('gives entries in the order of their time, whatever is added and removed', (t) => {
  const operations = fc.array(fc.record({ due: fc.integer({ min: 0, max: 50 }), drop: fc.option(fc.nat(20)) }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(operations, (steps) => {
      const heap = new DueHeap<DueEntry>();
      const inside: DueEntry[] = [];
      for (const { due, drop } of steps) {
        const entry = { due, heapIndex: -1 };
        heap.add(entry);
        inside.push(entry);
        const [gone] = drop === null ? [] : inside.splice(drop, 1);
        if (gone) heap.remove(gone);
        if (gone) heap.remove(gone);
      }
      const found: number[] = [];
      for (let first = heap.first; first !== undefined; first = heap.first) {
        found.push(first.due);
        heap.remove(first);
      }
      t.deepEqual(
        found,
        inside.map(({ due }) => due).sort((a, b) => a - b),
      );
    }),
    { numRuns: 200 },
  );
});
