import test from 'ava';
import { impossible } from './impossible.ts';
import { casesOf } from './recording.ts';
import { replay } from './replay.ts';

/** Declares a test for each recorded case of a family. Cases listed as impossible must fail, so that the list stays correct. */
export function replayFamily(family: string): void {
  for (const recorded of casesOf(family)) {
    const declare = recorded.id in impossible ? test.failing : test;
    declare(`${recorded.id} ${recorded.title}`, async (t) => {
      t.deepEqual(await replay(recorded), []);
    });
  }
}
