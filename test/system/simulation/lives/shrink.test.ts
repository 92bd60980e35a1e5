import test from 'ava';
import type { Fault } from '../faults/faults.ts';
import { shrink } from './shrink.ts';

const faults = Array.from({ length: 9 }, (_, at): Fault => ({ on: 'request', at, kind: 'request lost', ms: 0 }));

test('only what is needed for a failure is left', async (t) => {
  const fails = async (some: readonly Fault[]) => [2, 5].every((at) => some.some((fault) => fault.at === at));
  t.deepEqual(await shrink(faults, faults.slice(1, 8), fails), [faults[2], faults[5]]);
});

test('faults that never struck are kept only when it does not fail without', async (t) => {
  const fails = async (some: readonly Fault[]) => some.length >= 8;
  t.is((await shrink(faults, faults.slice(0, 2), fails)).length, 8);
});
