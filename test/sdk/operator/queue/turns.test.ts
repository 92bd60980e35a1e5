import test from 'ava';
import fc from 'fast-check';
import { Turns } from '../../../../sdk/operator/queue/turns.ts';

const tenant = fc.constantFrom('a', 'b', 'c', 'd');
const number = fc.integer({ min: 0, max: 9 });
const step = fc.record({
  do: fc.constantFrom('add' as const, 'add' as const, 'take' as const, 'delete' as const),
  tenant,
  number,
});

test('loses nothing, keeps the order within a tenant, and serves each waiting tenant once before any one twice', (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const turns = new Turns();
      const waiting = new Map<string, string[]>();
      /** Numbers of turns that other tenants had, by waiting tenant, since it began to wait or was served. */
      const passed = new Map<string, Map<string, number>>();
      for (const { do: action, tenant: one, number: n } of steps) {
        const key = `${one}${n}`;
        const own = waiting.get(one) ?? [];
        if (action === 'add' && !own.includes(key)) {
          turns.add(key, one);
          if (own.length === 0) passed.set(one, new Map());
          waiting.set(one, [...own, key]);
        } else if (action === 'delete') {
          t.is(turns.delete(key, one), own.includes(key));
          waiting.set(
            one,
            own.filter((other) => other !== key),
          );
        } else if (action === 'take') {
          const taken = turns.take();
          const owner = taken?.[0] ?? '';
          if (taken === undefined) t.true([...waiting.values()].every(({ length }) => length === 0));
          else t.is(taken, waiting.get(owner)?.shift() ?? '', 'FIFO within its tenant');
          passed.set(owner, new Map());
          for (const [other, keys] of waiting) {
            if (other === owner || keys.length === 0) continue;
            const had = passed.get(other)!;
            had.set(owner, (had.get(owner) ?? 0) + 1);
            t.true(had.get(owner)! <= 1, `${owner} had two turns while ${other} waited`);
          }
        }
        t.is(turns.size, [...waiting.values()].flat().length);
      }
    }),
    { numRuns: 300 },
  );
});

test('a crowd of one tenant is taken in turns with the single key of another', (t) => {
  const turns = new Turns();
  for (let i = 0; i < 400; i += 1) turns.add(`crowd/${i}`, 'crowd');
  turns.add('small/0', 'small');
  t.deepEqual([turns.take(), turns.take(), turns.take()], ['crowd/0', 'small/0', 'crowd/1']);
});
