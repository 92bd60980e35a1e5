import test from 'ava';
import { cycleThrough } from '../../../../../sequencer/engine/plan/cycle.ts';
import { excessiveGrowth, workOn } from '../../../growth.ts';

const edges: Readonly<Record<string, readonly string[]>> = {
  a: ['b'],
  b: ['c', 'd'],
  c: [],
  d: ['b'],
  e: ['e'],
  f: ['d'],
};
const through = (node: string) => cycleThrough(node, (one) => edges[one] ?? []);

test('a cycle is told from the node back to itself; one that only leads into a cycle is in none', (t) => {
  t.deepEqual(through('b'), ['b', 'd', 'b']);
  t.deepEqual(through('d'), ['d', 'b', 'd']);
  t.deepEqual(through('e'), ['e', 'e']);
  for (const node of ['a', 'c', 'f', 'unknown']) t.is(through(node), undefined, node);
});

test('paths that part and meet again are walked once', async (t) => {
  const diamonds = (size: number) =>
    new Map(Array.from({ length: size / 64 }, (_, index) => [String(index), [String(index + 1), String(index + 1)]]));
  t.is(
    await excessiveGrowth(workOn(diamonds, (graph) => cycleThrough('0', (node) => graph.get(node) ?? []))),
    undefined,
  );
});

test('a cycle of a hundred thousand nodes is reported whole, without a deep stack', (t) => {
  const nodes = 100_000;
  const cycle = cycleThrough('0', (node) => [String((Number(node) + 1) % nodes)]);
  t.is(cycle?.length, nodes + 1);
  t.deepEqual([cycle?.[0], cycle?.[1], cycle?.at(-2), cycle?.at(-1)], ['0', '1', String(nodes - 1), '0']);
});
