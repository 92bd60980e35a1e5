/** Functions that read several pages of a list. */

import { describeFault } from '../observation/faults.ts';
import { type InjectedResponse, repeatFirstPage, responsesToReads } from '../observation/injected-responses.ts';
import { isFaultInjected, type Probe } from './probes.ts';
import type { ResourceCaller } from './resource-caller.ts';

const pathOf = (name: string): string => name.split('?', 1)[0]!;

const refusedPage = responsesToReads.at(-1)!;

/** Calls a function that reads pages while the second one is refused, and while each is the first one. @throws Finding unless the function throws, or returns the same as without a fault */
export async function expectAllPagesRead(caller: ResourceCaller, probe: Probe): Promise<void> {
  const { effects } = caller.scenario;
  const { length } = effects.calls;
  await caller.attempt(probe.name, probe.call);
  const [first, second] = effects.calls.slice(length);
  if (!first?.isHttp || second === undefined || pathOf(first.name) !== pathOf(second.name)) return;
  const struck = (answer: InjectedResponse, from: number) =>
    isFaultInjected(caller, probe, {
      fault: (nth) => (nth >= from ? { kind: 'answered', answer } : undefined),
      from,
      describe: describeFault,
      givesUp: true,
    });
  await struck(refusedPage, 2);
  await struck(repeatFirstPage(), 1);
}
