import test from 'ava';
import { impossible } from './impossible.ts';
import { casesOf } from './recording.ts';
import { replay } from './replay.ts';

/** Makes a test of each recorded case of a family. Those that are known to be impossible must fail, so that the list stays true. */
export function replayFamily(family: string): void {
  for (const recorded of casesOf(family)) {
    const declare = recorded.id in impossible ? test.failing : test;
    declare(`${recorded.id} ${recorded.title}`, async (t) => {
      t.deepEqual(await replay(recorded), []);
    });
  }
}
