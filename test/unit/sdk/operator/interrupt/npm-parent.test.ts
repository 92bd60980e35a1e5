import test from 'ava';
import type { Clock } from '../../../../../sdk/clock.ts';
import { type ProcessTree, processTree, watchNpm } from '../../../../../sdk/operator/interrupt/npm-parent.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

/** Processes: this program, the shell 20 above it, and npm 10 above that. */
function aTree(script: string | undefined) {
  const now = { parent: 20, dead: new Set<number>(), aboveShell: 10 as number | undefined };
  const tree: ProcessTree = {
    script,
    program: 'operator.ts',
    parent: () => now.parent,
    isInit: (pid) => pid === 1,
    isAlive: (pid) => !now.dead.has(pid),
    parentOfShell: () => now.aboveShell,
  };
  return { now, tree };
}

/** Watches npm. @returns a function that counts how often its end was noticed */
function endsNoticed(tree: ProcessTree, clock: Clock): () => number {
  let count = 0;
  watchNpm(tree, clock, () => {
    count += 1;
  });
  return () => count;
}

const ends: Readonly<Record<string, (now: ReturnType<typeof aTree>['now']) => void>> = {
  'the shell between them': (now) => {
    now.parent = 1;
  },
  'npm alone': (now) => {
    now.aboveShell = 1;
  },
  'the shell on Windows, where a parent keeps its number': (now) => {
    now.dead.add(20);
  },
};
const scripts = ['sequencer dev workspace.yaml', 'node src/operator.ts', "'sequencer'"]; // the last is what npx sets
for (const [what, end] of Object.entries(ends))
  test(`the end of ${what} is noticed, once, under a script and under npx`, async (t) => {
    for (const script of scripts) {
      const { now, tree } = aTree(script);
      const clock = createManualClock();
      const ended = endsNoticed(tree, clock);
      await clock.advance(10_000);
      t.is(ended(), 0);
      end(now);
      await clock.advance(10_000);
      t.is(ended(), 1, script);
    }
  });

for (const [what, before] of Object.entries({ npm: { parent: 1 }, 'npm alone': { aboveShell: 1 } }))
  test(`the end of ${what} before the first look is noticed`, async (t) => {
    const { now, tree } = aTree('node src/operator.ts');
    Object.assign(now, before);
    const clock = createManualClock();
    const ended = endsNoticed(tree, clock);
    await clock.advance(10_000);
    t.is(ended(), 1);
  });

test('no process but the first is an init', (t) => {
  t.false(processTree.isInit(process.pid));
});

test('nothing is looked at after the end of the program, or without npm, or under a script that starts it in the background', async (t) => {
  const clock = createManualClock();
  const never = () => t.fail();
  const stopped = aTree('sequencer cluster --control');
  watchNpm(stopped.tree, clock, never)();
  const others = [
    undefined,
    'node test.js',
    'node test.js operator.ts.bak',
    'node operator.ts & node test.js',
    'sequencer cluster & pytest',
    'sequencer dev | tee log',
    'sequencer dev; true',
  ];
  for (const { now, tree } of [stopped, ...others.map(aTree)]) {
    watchNpm(tree, clock, tree === stopped.tree ? () => {} : never);
    now.parent = 1;
  }
  await clock.advance(10_000);
  t.pass();
});
