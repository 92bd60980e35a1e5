/** Functions that read several pages of a list. */

import { wordsOf } from '../observation/faults.ts';
import { answersToReads, firstPageAgain, type HttpAnswer } from '../observation/http-answers.ts';
import { isStruck, type Probe } from './probes.ts';
import type { ResourceCaller } from './resource-caller.ts';

const pathOf = (name: string): string => name.split('?', 1)[0]!;

const refusedPage = answersToReads.at(-1)!;

/** Calls a function that reads pages while the second one is refused, and while each is the first one again. @throws Finding unless it throws, or answers as before */
export async function expectPagesRead(caller: ResourceCaller, probe: Probe): Promise<void> {
  const { effects } = caller.scenario;
  const { length } = effects.calls;
  await caller.attempt(probe.name, probe.call);
  const [first, second] = effects.calls.slice(length);
  if (!first?.isHttp || second === undefined || pathOf(first.name) !== pathOf(second.name)) return;
  const struck = (answer: HttpAnswer, from: number) =>
    isStruck(caller, probe, {
      fault: (nth) => (nth >= from ? { kind: 'answered', answer } : undefined),
      from,
      words: wordsOf,
      givesUp: true,
    });
  await struck(refusedPage, 2);
  await struck(firstPageAgain(), 1);
}
