/** Case of functions whose calls fail: what a call did not say is not known. */

import { isDeepStrictEqual } from 'node:util';
import type { FaultOf } from '../observation/effects.ts';
import type { FunctionName } from '../observation/invocations.ts';
import { ownerOf, type ResourceCaller, shown, withResourceCaller } from '../resource/resource-caller.ts';
import type { Case } from '../scenario/case.ts';
import { expectPatience } from '../scenario/patience.ts';
import { expect } from '../scenario/report.ts';
import { type FailureClass, failuresOf } from '../subject/failures.ts';
import type { Subject } from '../subject/subject.ts';
import { othersWanted } from './change-cases.ts';

/** Function of a resource, called while calls of it fail. */
interface Probe {
  readonly name: FunctionName;
  call(signal: AbortSignal): Promise<unknown>;
  /** Reports whether an answer is right though a call failed. */
  isRight(answer: unknown, firstFailed: number): boolean | Promise<boolean>;
  /** Undoes what it may have done. */
  restore?(): Promise<unknown>;
  readonly likely: string;
}

const readLikely = (nothing: string): string =>
  `what could not be read is taken for ${nothing}: let the error out; only an answer of the third party, such as 404 or an empty list, says that nothing is there`;
const changeLikely =
  'a call that failed counts as done, and is not tried again: look at the status of each answer, and let the error out';

const kindOf = { definite: 'definite', throttled: 'throttled', ambiguous: 'lost before' } as const;
const said: Readonly<Record<string, string>> = {
  definite: 'was refused',
  throttled: 'was told to be patient',
  'lost before': 'was lost',
  hang: 'got no answer until the signal aborted',
};

/** Returns the faults to inject: each way of failure that the subject declares and, in virtual time, no answer at all. */
function faultsOf({ failures = {}, time, reaches }: Subject): readonly FaultOf[] {
  const declared = (Object.keys(kindOf) as FailureClass[]).flatMap((failure) =>
    failuresOf(failures, failure).map((_, variant): FaultOf => ({ kind: kindOf[failure], variant })),
  );
  return time === 'real' || reaches === 'cluster' ? declared : [...declared, { kind: 'hang' }];
}

/** Returns the probes of functions that read. Each answers as it did without a failure, or throws. */
async function readerProbes(caller: ResourceCaller): Promise<readonly Probe[]> {
  const { resource, owner, id } = caller.made;
  const all = ownerOf(owner, owner.uid, '');
  const readers = [
    ['find', resource.find && ((signal) => resource.find!(owner, { signal })), 'nothing, and another one is made'],
    ['findAll', resource.findAll && ((signal) => resource.findAll!(all, { signal })), 'nothing, and is left behind'],
    [
      'observe',
      resource.observe && ((signal) => resource.observe!(id, { owner, signal })),
      'gone, and another one is made',
    ],
  ] satisfies readonly [FunctionName, ((signal: AbortSignal) => Promise<unknown>) | undefined, string][];
  const probes: Probe[] = [];
  for (const [name, call, nothing] of readers) {
    if (call === undefined) continue;
    const happyPath = await caller.call(name, 'without any fault', async (signal) => call(signal));
    const isRight = (answer: unknown): boolean => isDeepStrictEqual(answer, happyPath);
    probes.push({ name, call: async (signal) => call(signal), isRight, likely: readLikely(nothing) });
  }
  return probes;
}

/** Returns the probe of `update`, with the third party as it is when that has worked. */
async function updateProbe(caller: ResourceCaller, subject: Subject): Promise<readonly Probe[]> {
  const { resource, wanted, owner, id } = caller.made;
  if (resource.update === undefined) return [];
  const [{ other } = { other: wanted }] = await othersWanted(caller, subject);
  await caller.update(other);
  const done = await caller.there();
  await caller.update(wanted);
  return [
    {
      name: 'update',
      call: async (signal) => resource.update?.(id, structuredClone(other), { owner, signal }),
      isRight: async (_, firstFailed) => firstFailed > 1 && (await caller.there()) === done,
      restore: () => caller.update(wanted),
      likely: changeLikely,
    },
  ];
}

/** Returns the probes of functions that change. That of `delete` is the last. */
async function changerProbes(caller: ResourceCaller, subject: Subject): Promise<readonly Probe[]> {
  const { resource, owner, id } = caller.made;
  const before = await caller.there();
  const { secretOf, remark } = resource;
  const others: readonly (Probe | undefined)[] = [
    secretOf && {
      name: 'secretOf',
      call: async (signal) => secretOf.call(resource, id, { owner, signal }),
      isRight: (_, firstFailed) => firstFailed > 1,
      likely: changeLikely,
    },
    remark && {
      name: 'remark',
      call: async (signal) => remark.call(resource, id, { owner, former: [], signal }),
      isRight: (_, firstFailed) => firstFailed > 1,
      likely: changeLikely,
    },
    {
      name: 'delete',
      call: async (signal) => resource.delete(id, { owner, signal }),
      isRight: async (answer) => answer === 'deleting' || (await caller.there()) !== before,
      likely: changeLikely,
    },
  ];
  return [...(await updateProbe(caller, subject)), ...others.filter((probe) => probe !== undefined)];
}

/** Calls a function while its calls fail, from one of them on. @returns whether it came to that call */
async function isStruck(
  caller: ResourceCaller,
  probe: Probe,
  [fault, from]: readonly [FaultOf, number],
): Promise<boolean> {
  const { effects } = caller.scenario;
  const { length } = effects.calls;
  effects.plan = { fault: (nth) => (nth >= length + from ? fault : undefined) };
  const outcome = await caller.attempt(probe.name, probe.call, fault.kind === 'hang');
  effects.happyPath();
  const struck = effects.calls[length + from - 1];
  if (struck === undefined) return false;
  const isRight = 'error' in outcome || (await probe.isRight(outcome.answer, from));
  const answers = probe.name === 'secretOf' || 'error' in outcome ? '' : ` ${shown(outcome.answer)}`;
  const symptom = `${probe.name} answers${answers}, though ${struck.name} ${said[fault.kind]}`;
  expect(isRight, symptom, `${probe.name}: ${probe.likely}`);
  if (caller.scenario.subject.time !== 'real') expectPatience(effects.calls.slice(length));
  return true;
}

/** Limit of the calls of one function that fail one after the other. */
const mostCalls = 3;

/** Calls a function with each of these faults, from one of its calls on. @returns whether it came to that call */
async function isReached(caller: ResourceCaller, probe: Probe, [faults, from]: readonly [readonly FaultOf[], number]) {
  let count = 0;
  for (const fault of faults) {
    if (await isStruck(caller, probe, [fault, from])) count += 1;
    await probe.restore?.();
  }
  return count > 0;
}

async function proveOutage(caller: ResourceCaller, subject: Subject): Promise<void> {
  const faults = faultsOf(subject);
  const single = [...new Map(faults.map((fault) => [fault.kind, fault])).values()];
  for (const probe of [...(await readerProbes(caller)), ...(await changerProbes(caller, subject))])
    for (let from = 1; from <= mostCalls; from += 1)
      if (!(await isReached(caller, probe, [from === 1 ? faults : single, from]))) break;
}

/** Case of an outage. */
export const outageCase: Case = {
  name: 'outage',
  title: 'takes no failed call for an answer',
  lacks: ({ failures }) => (failures === undefined ? 'the subject declares no failures' : undefined),
  prove: withResourceCaller('delete', proveOutage),
};
