/** Case of functions whose calls fail. */

import type { CallFault } from '../observation/faults.ts';
import { changerProbes, isFaultInjected, type Probe, readerProbes } from '../resource/probes.ts';
import { anotherOwner, type ResourceCaller, withResourceCaller } from '../resource/resource-caller.ts';
import type { Case } from '../scenario/case.ts';
import { type FailureClass, failuresOf } from '../subject/failures.ts';
import type { Subject } from '../subject/subject.ts';

const kindOf = { definite: 'definite', throttled: 'throttled', ambiguous: 'lost before' } as const;
const said: Readonly<Record<string, string>> = {
  definite: 'was refused',
  throttled: 'was throttled',
  'lost before': 'was lost',
  hang: 'got no answer until the signal aborted',
};

/** Returns the faults to inject: each failure that the subject declares and, in virtual time, no response. */
function faultsOf({ failures = {}, time, target }: Subject): readonly CallFault[] {
  const declared = (Object.keys(kindOf) as FailureClass[]).flatMap((failure) =>
    failuresOf(failures, failure).map((_, variant): CallFault => ({ kind: kindOf[failure], variant })),
  );
  return time === 'real' || target === 'cluster' ? declared : [...declared, { kind: 'hang' }];
}

/** Limit of the calls of one function that fail, each from its number on. */
const maxCalls = 3;

/** Calls a function with each of these faults, from one of its calls on. @returns whether that call was made */
async function isReached(
  caller: ResourceCaller,
  probe: Probe,
  [faults, from]: readonly [readonly CallFault[], number],
) {
  let count = 0;
  for (const fault of faults) {
    const strike = {
      fault: (nth: number) => (nth >= from ? fault : undefined),
      from,
      describe: ({ kind }: CallFault) => said[kind] ?? '',
      givesUp: fault.kind === 'hang',
    };
    if (await isFaultInjected(caller, probe, strike)) count += 1;
    await probe.restore?.();
  }
  return count > 0;
}

/** Returns the probe of `create`, for an owner without objects. */
function createProbe({ made: { resource, owner, wanted, key } }: ResourceCaller): Probe {
  const other = anotherOwner(owner);
  return {
    name: 'create',
    call: (signal) => resource.create(structuredClone(wanted), { owner: other, signal, key: `${key}-9` }),
    isRight: (_, firstFailed) => firstFailed > 1,
    likely:
      'an id is made up where the third party has named none: let the error out, also that of an aborted signal; what a lost creation has made is found again',
  };
}

async function proveOutage(caller: ResourceCaller, subject: Subject): Promise<void> {
  const faults = faultsOf(subject);
  const single = [...new Map(faults.map((fault) => [fault.kind, fault])).values()];
  for (const probe of [...(await readerProbes(caller)), ...(await changerProbes(caller, subject)), createProbe(caller)])
    for (let from = 1; from <= maxCalls; from += 1)
      if (!(await isReached(caller, probe, [from === 1 ? faults : single, from]))) break;
}

/** Case of an outage. */
export const outageCase: Case = {
  name: 'outage',
  title: 'takes no failed call for an answer',
  lacks: ({ failures }) => (failures === undefined ? 'the subject declares no failures' : undefined),
  prove: withResourceCaller('delete', proveOutage),
};
