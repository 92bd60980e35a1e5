import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { FairQueue } from '../../../../../sdk/operator/queue/fair-queue.ts';

const tenant = fc.constantFrom('a', 'b', 'c', 'd');
const number = fc.integer({ min: 0, max: 9 });
const step = fc.record({
  do: fc.constantFrom('add' as const, 'add' as const, 'take' as const, 'delete' as const),
  tenant,
  number,
});

/** FairQueue under test, with what they are to hold. */
class Watched {
  readonly turns = new FairQueue();
  readonly waiting = new Map<string, string[]>();
  /** Numbers of turns that other tenants had, by waiting tenant, since it began to wait or was served. */
  readonly #passed = new Map<string, Map<string, number>>();
  readonly #t: ExecutionContext;

  constructor(t: ExecutionContext) {
    this.#t = t;
  }

  add(key: string, tenant: string): void {
    const own = this.waiting.get(tenant) ?? [];
    if (own.includes(key)) return;
    this.turns.add(key, tenant);
    if (own.length === 0) this.#passed.set(tenant, new Map());
    this.waiting.set(tenant, [...own, key]);
  }

  delete(key: string, tenant: string): void {
    const own = this.waiting.get(tenant) ?? [];
    this.#t.is(this.turns.delete(key, tenant), own.includes(key));
    this.waiting.set(
      tenant,
      own.filter((other) => other !== key),
    );
  }

  take(): void {
    const t = this.#t;
    const taken = this.turns.take();
    const owner = taken?.[0] ?? '';
    if (taken === undefined) t.true([...this.waiting.values()].every(({ length }) => length === 0));
    else t.is(taken, this.waiting.get(owner)?.shift() ?? '', 'FIFO within its tenant');
    this.#passed.set(owner, new Map());
    for (const [other, keys] of this.waiting) {
      if (other === owner || keys.length === 0) continue;
      const had = this.#passed.get(other)!;
      had.set(owner, (had.get(owner) ?? 0) + 1);
      t.true(had.get(owner)! <= 1, `${owner} had two turns while ${other} waited`);
    }
  }
}

test('loses nothing, keeps the order within a tenant, and serves each waiting tenant once before any one twice', (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const watched = new Watched(t);
      for (const { do: action, tenant: one, number: n } of steps) {
        watched[action](`${one}${n}`, one);
        t.is(watched.turns.size, [...watched.waiting.values()].flat().length);
      }
    }),
    { numRuns: 300 },
  );
});

test('a crowd of one tenant is taken in turns with the single key of another', (t) => {
  const turns = new FairQueue();
  for (let i = 0; i < 400; i += 1) turns.add(`crowd/${i}`, 'crowd');
  turns.add('small/0', 'small');
  t.deepEqual([turns.take(), turns.take(), turns.take()], ['crowd/0', 'small/0', 'crowd/1']);
});
