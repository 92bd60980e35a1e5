import test from 'ava';
import fc from 'fast-check';
import { aQueue } from './a-queue.ts';

type Step =
  | { readonly do: 'add'; readonly key: string; readonly delay: number; readonly priority: 'fresh' | 'backlog' }
  | { readonly do: 'finish'; readonly key: string }
  | { readonly do: 'hold'; readonly key: string }
  | { readonly do: 'release'; readonly key: string }
  | { readonly do: 'pass'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      key,
      delay: fc.constantFrom(0, 0, 5, 20),
      priority: fc.constantFrom('fresh' as const, 'backlog' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), key }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('hold' as const), key }),
      fc.record({ do: fc.constant('release' as const), key }),
    ),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 15 }) }) },
);

/** Required run: one of the key that starts at `due` or later. */
interface RequiredRun {
  readonly key: string;
  readonly due: number;
  readonly delayed: boolean;
}

/** Collects the required runs of requests. The earliest of several delayed requests stands for all. */
function trackRequiredRuns(now: () => number) {
  const required: RequiredRun[] = [];
  const add = (k: string, delay: number) => {
    const due = now() + delay;
    const earlier = required.some((w) => w.key === k && w.delayed && w.due > now() && w.due <= due);
    const later = required.findIndex((w) => w.key === k && w.delayed && w.due > due);
    if (delay > 0 && earlier) return;
    if (delay > 0 && later !== -1) required.splice(later, 1);
    required.push({ key: k, due, delayed: delay > 0 });
  };
  return { required, add };
}

/** Takes a step; only some have to be waited for. */
function take(
  now: Step,
  { clock, queue, finish }: ReturnType<typeof aQueue>,
  { hold, release }: { hold(key: string): void; release(key: string): void },
): Promise<void> | void {
  switch (now.do) {
    case 'add':
      return queue.add(now.key, now);
    case 'finish':
      return finish(now.key);
    case 'hold':
      return hold(now.key);
    case 'release':
      return release(now.key);
    case 'pass':
      return clock.advance(now.ms);
  }
}

/** Lets all runs end, and those that are still to come. */
async function settle({ clock, queue, running, finish }: ReturnType<typeof aQueue>): Promise<void> {
  for (let round = 0; round < 30 && (running.size > 0 || queue.health().delayed > 0); round += 1) {
    for (const k of [...running.keys()]) await finish(k);
    await clock.advance(5);
  }
}

/** Checks that each required run has started, and none besides. */
function checkRuns(
  required: readonly RequiredRun[],
  started: readonly { readonly key: string; readonly at: number }[],
) {
  for (const { key: k, due } of required)
    if (!started.some((run) => run.key === k && run.at >= due)) throw new Error(`the run of ${k} at ${due} was lost`);
  for (const [index, { key: k, at }] of started.entries()) {
    const due = required.some((one) => one.key === k && one.due <= at);
    if (!due) throw new Error(`run ${index} of ${k} at ${at} came before its time`);
  }
}

test('whatever happens: never two runs of a key at once, no required run is lost, none runs before its time', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (steps, workers) => {
      const held = new Set<string>();
      const world = aQueue({
        workers,
        isHeld: (k) => held.has(k),
        tenantOf: (k) => (k < 'c' ? 'first' : 'second'),
      });
      const { clock, queue, started, overlaps } = world;
      const { required, add } = trackRequiredRuns(() => clock.monotonic());
      queue.start();
      const release = (k: string) => {
        held.delete(k);
        queue.release(k);
      };
      for (const now of steps) {
        if (now.do === 'add') add(now.key, now.delay);
        const taken = take(now, world, { hold: (k) => held.add(k), release });
        if (taken !== undefined) await taken;
      }
      for (const k of held) release(k);
      await settle(world);
      if (overlaps() > 0) throw new Error('two runs of one key at once');
      checkRuns(required, started);
      const { longestRun: _, unfinished: __, ...counts } = queue.health();
      t.deepEqual(counts, { ready: 0, delayed: 0, held: 0, running: 0, stalled: 0 });
      t.is(clock.pending, 0);
    }),
    { numRuns: 60 },
  );
});
