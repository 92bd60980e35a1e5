/** Case of unexpected responses of services and proxies. */

import type { Call } from '../observation/effect.ts';
import { describeFault } from '../observation/faults.ts';
import {
  type InjectedResponse,
  notFoundResponse,
  responsesToChanges,
  responsesToReads,
} from '../observation/injected-responses.ts';
import { readerOf } from '../observation/invocations.ts';
import { changerProbes, isFaultInjected, type Probe, readerProbes } from '../resource/probes.ts';
import { type ResourceCaller, withCreatedObjects } from '../resource/resource-caller.ts';
import { type Case, mayAsk } from '../scenario/case.ts';
import { sweep } from '../scenario/sweep.ts';
import type { Subject } from '../subject/subject.ts';

const isGet = ({ name }: Pick<Call, 'name'>): boolean => /^(GET|HEAD) /.test(name);

/** Requests of one function, and the responses to inject. */
interface RequestGroup {
  readonly reads: boolean;
  readonly answers: readonly InjectedResponse[];
}

/** Groups of requests in the order in which they are tried: those that are carried out come last, since a deletion succeeds once. */
const groups: readonly RequestGroup[] = [
  { reads: false, answers: responsesToChanges.filter(({ isCarriedOut }) => !isCarriedOut) },
  { reads: true, answers: responsesToReads },
  { reads: false, answers: responsesToChanges.filter(({ isCarriedOut }) => isCarriedOut) },
];

/** Injects responses into the requests of one function. @returns whether it makes such requests */
async function tryAnswers(caller: ResourceCaller, probe: Probe, { reads, answers }: RequestGroup): Promise<boolean> {
  const isReader = readerOf(probe.name) !== undefined;
  for (const answer of answers) {
    const isMade = await isFaultInjected(caller, probe, {
      fault: (_, call) =>
        call.isHttp && (isReader || isGet(call)) === reads ? { kind: 'answered', answer } : undefined,
      from: !reads && answer.isCarriedOut ? 2 : 1,
      describe: describeFault,
    });
    await probe.restore?.();
    if (!isMade) return false;
  }
  return true;
}

/** Calls each function of the resources with injected responses. @returns the number of groups of requests that were made */
async function proveFunctions(subject: Subject): Promise<number> {
  let count = 0;
  await withCreatedObjects(subject, async (caller) => {
    for (const probe of [...(await readerProbes(caller)), ...(await changerProbes(caller, subject))])
      for (const group of groups) if (await tryAnswers(caller, probe, group)) count += 1;
  });
  return count;
}

/** Returns the responses to inject into a call of a scenario: into changes only, other than deletions, which are called directly. */
const answersTo = (call: Call): readonly InjectedResponse[] =>
  call.isHttp && call.changed && call.by !== 'delete'
    ? [...responsesToChanges, ...(call.by === 'create' ? [notFoundResponse] : [])]
    : [];

const untried =
  'no odd answer was tried, since none of its calls is a request by run.fetch: give run.fetch to its client in place of fetch, or in place of an agent or handler of its own; where it does not speak HTTP, say so by cannot: { answers }';

/** Case of unexpected responses. */
export const answersCase: Case = {
  name: 'answers',
  title: 'takes no page of a proxy, no redirect and no half of a body for a response',
  lacks: ({ target }) => (target === 'cluster' ? 'its calls are the controller’s' : undefined),
  async prove(subject) {
    const functionCount = await proveFunctions(subject);
    const isReal = subject.time === 'real'; // a sweep takes minutes there, and changes are not recorded
    const faults = (call: Call) => answersTo(call).map((answer) => ({ kind: 'answered', answer }) as const);
    const count = isReal ? 0 : await sweep(subject, { mayAsk: mayAsk(subject), faults });
    return functionCount + count === 0 ? untried : undefined;
  },
};
