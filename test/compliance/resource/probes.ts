/** Functions of a resource, called while their calls to the third party fail. */

import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../observation/effect.ts';
import type { CallFault } from '../observation/faults.ts';
import type { FunctionName } from '../observation/invocations.ts';
import { expect } from '../scenario/report.ts';
import { expectRetryAfter } from '../scenario/retry-after.ts';
import type { Subject } from '../subject/subject.ts';
import { changedMembers } from './changed-members.ts';
import { asText, ownerOf, type ResourceCaller } from './resource-caller.ts';

/** Function of a resource, called while its calls to the third party fail. */
export interface Probe {
  readonly name: FunctionName;
  call(signal: AbortSignal): Promise<unknown>;
  /** Reports whether a result is right though calls failed, from this number on. */
  isRight(answer: unknown, firstFailed: number): boolean | Promise<boolean>;
  /** Restores the third party's state. */
  restore?(): Promise<unknown>;
  readonly likely: string;
}

const readLikely = (nothing: string): string =>
  `what could not be read is taken for ${nothing}: let the error out; only an answer of the third party, such as 404 or an empty list, says that nothing is there`;
const changeLikely =
  'a call that failed counts as done, and is not tried again: look at the status of each answer, and let the error out';

/** Returns the probes of functions that read: each must throw, or return the same as without a fault. */
export async function readerProbes(caller: ResourceCaller): Promise<readonly Probe[]> {
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

/** Returns the probe of `update`, whose result is right where the third party has the updated state. */
async function updateProbe(caller: ResourceCaller, subject: Subject): Promise<readonly Probe[]> {
  const { resource, wanted, owner, id } = caller.made;
  if (resource.update === undefined) return [];
  const [{ other } = { other: wanted }] = await changedMembers(caller, subject);
  await caller.update(other);
  const done = await caller.remoteText();
  await caller.update(wanted);
  return [
    {
      name: 'update',
      call: async (signal) => resource.update?.(id, structuredClone(other), { owner, signal }),
      isRight: async (_, firstFailed) => firstFailed > 1 && (await caller.remoteText()) === done,
      restore: () => caller.update(wanted),
      likely: changeLikely,
    },
  ];
}

/** Returns the probes of functions that change something, that of `delete` last. */
export async function changerProbes(caller: ResourceCaller, subject: Subject): Promise<readonly Probe[]> {
  const { resource, owner, id } = caller.made;
  const before = await caller.remoteText();
  const { secretOf, replaceMark } = resource;
  const others: readonly (Probe | undefined)[] = [
    secretOf && {
      name: 'secretOf',
      call: async (signal) => secretOf.call(resource, id, { owner, signal }),
      isRight: (_, firstFailed) => firstFailed > 1,
      likely:
        'a secret that could not be read or made is answered all the same, and stored as if it were one: let the error out',
    },
    replaceMark && {
      name: 'replaceMark',
      call: async (signal) => replaceMark.call(resource, id, { owner, former: [], signal }),
      isRight: (_, firstFailed) => firstFailed > 1,
      likely: changeLikely,
    },
    {
      name: 'delete',
      call: async (signal) => resource.delete(id, { owner, signal }),
      isRight: async (answer) => answer === 'deleting' || (await caller.remoteText()) !== before,
      likely: changeLikely,
    },
  ];
  return [...(await updateProbe(caller, subject)), ...others.filter((probe) => probe !== undefined)];
}

/** Faults of the calls of one function. */
export interface InjectedFaults {
  /** Returns the fault of a call of the function, by its number from 1. */
  fault(nth: number, call: Pick<Call, 'name' | 'isHttp'>): CallFault | undefined;
  /** Number of the first call that fails, from 1. */
  readonly from: number;
  /** Describes a call with a fault, for a report. */
  describe(fault: CallFault): string;
  /** Aborts the signal after a while. @default false */
  readonly givesUp?: boolean;
}

/** Calls a function while its calls fail. @returns whether a fault was injected @throws Finding when the function succeeds wrongly */
export async function isFaultInjected(caller: ResourceCaller, probe: Probe, strike: InjectedFaults): Promise<boolean> {
  const { effects } = caller.scenario;
  const { length } = effects.calls;
  let first: { readonly name: string; readonly fault: CallFault } | undefined;
  effects.plan = {
    fault(nth, call) {
      const fault = strike.fault(nth - length, call);
      first ??= fault && { name: call.name, fault };
      return fault;
    },
  };
  const outcome = await caller.attempt(probe.name, probe.call, strike.givesUp);
  effects.removeFaults();
  const failing = first as { readonly name: string; readonly fault: CallFault } | undefined;
  if (failing === undefined) return false;
  const isRight = 'error' in outcome || (await probe.isRight(outcome.answer, strike.from));
  const answers = probe.name === 'secretOf' || 'error' in outcome ? '' : ` ${asText(outcome.answer)}`;
  const symptom = `${probe.name} answers${answers}, though ${failing.name} ${strike.describe(failing.fault)}`;
  expect(isRight, symptom, `${probe.name}: ${probe.likely}`);
  if (caller.scenario.subject.time !== 'real') expectRetryAfter(effects.calls.slice(length));
  return true;
}
