/** Calls the functions of a resource as the sequencer would. */

import { messageOf, type Owner, pausedAnnotation, type Ref } from '../../../sdk/index.ts';
import type { Call } from '../observation/effect.ts';
import { createInvocation, type FunctionName, invocation } from '../observation/invocations.ts';
import type { AnyResource, CreatedObject } from '../observation/observations.ts';
import { expectCompleted } from '../scenario/case.ts';
import { adviceByFunction } from '../scenario/diagnosis.ts';
import { expect, Finding, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { CaseName } from '../subject/case-names.ts';
import type { Subject } from '../subject/subject.ts';

/** Limit of the objects of one workspace whose functions are called. */
const maxObjects = 3;

/** Formats a value for messages. */
export const asText = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** Returns the owner for another workspace or, with a slot, for another object of this workspace. */
export const ownerOf = (owner: Owner, uid: string, slot = owner.slot): Owner => ({
  ...owner,
  uid,
  slot,
  mark: [uid, owner.condition, slot].join('/'),
});

/** Returns the owner for a workspace of the same name in another namespace, with another uid. */
export const anotherOwner = (owner: Owner): Owner =>
  ownerOf({ ...owner, namespace: `${owner.namespace}-2` }, [...owner.uid].reverse().join(''));

/** Returns owners without objects, whose marks differ from this one by a few characters. */
export const similarOwners = (owner: Owner): readonly Owner[] => [
  anotherOwner(owner),
  ownerOf(owner, [...owner.uid].reverse().join('')),
  ownerOf(owner, owner.uid.slice(0, -1)),
  ownerOf(owner, `${owner.uid}0`),
  ...(owner.slot === ''
    ? []
    : [ownerOf(owner, owner.uid, owner.slot.slice(0, -1)), ownerOf(owner, owner.uid, `${owner.slot}0`)]),
];

/** Time after which the signal of a call with a fault aborts, in ms. */
const callTimeout = 5_000;

/** @throws Finding about a function that never settles, by its calls */
function failUnsettled(name: FunctionName, calls: readonly Call[]): never {
  const open = calls.findLast(({ end }) => end === undefined);
  const advice =
    name === 'delete'
      ? 'delete does not wait until it is gone: answer "deleting", and it is asked again; or wait by run.clock, until context.signal aborts'
      : `${name} has to end by its signal, whatever it waits for, and to read a list to its last page and no further`;
  if (open === undefined) fail(`${name} never settles`, advice);
  fail(`${name} never settles: ${open.name} has no answer`, `pass context.signal to each request; ${advice}`);
}

/**
 * Calls a function of the integration as the sequencer would.
 * @param givesUp aborts the signal after a while
 * @returns its result @throws its error; Finding when it never settles
 */
async function ask<T>(
  scenario: Scenario,
  [name, call]: readonly [FunctionName, (signal: AbortSignal) => Promise<T>],
  givesUp: boolean,
): Promise<T> {
  const over = new AbortController();
  if (givesUp) scenario.environment.clock.after(callTimeout, () => over.abort());
  const asked = invocation.run(createInvocation(name, scenario.record), async () => call(over.signal));
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  asked.then(settle, settle);
  const { length } = scenario.effects.calls;
  if (!(await scenario.until(() => isSettled))) failUnsettled(name, scenario.effects.calls.slice(length));
  return asked;
}

/** Calls the functions of one resource as the sequencer would, on an object that it has created. */
export class ResourceCaller {
  readonly scenario: Scenario;
  readonly made: CreatedObject;

  constructor(scenario: Scenario, made: CreatedObject) {
    this.scenario = scenario;
    this.made = made;
  }

  /** Calls a function, whose signal aborts after a while if it `givesUp`. @returns its result or its error @throws Finding when it never settles */
  attempt<T>(
    name: FunctionName,
    call: (signal: AbortSignal) => Promise<T>,
    givesUp = false,
  ): Promise<{ answer: T } | { error: unknown }> {
    return ask(this.scenario, [name, call], givesUp).then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (error instanceof Finding) throw error; // it never settles
        return { error };
      },
    );
  }

  /** Calls a function that must not throw. @throws Finding */
  async call<T>(name: FunctionName, when: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const outcome = await this.attempt(name, call);
    if ('answer' in outcome) return outcome.answer;
    return fail(`${name} throws "${messageOf(outcome.error)}" ${when}`, `${name}: ${adviceByFunction[name]}`);
  }

  find(owner = this.made.owner): Promise<Ref | undefined> {
    return this.call('find', 'when it looks for an object', async (signal) =>
      this.made.resource.find?.(owner, { signal }),
    );
  }

  observe(when: string) {
    const { resource, id, owner } = this.made;
    return this.call('observe', when, async (signal) => resource.observe?.(id, { owner, signal }));
  }

  create(owner: Owner, key = this.made.key, wanted = this.made.wanted) {
    const { resource } = this.made;
    return this.attempt('create', (signal) => resource.create(structuredClone(wanted), { owner, signal, key }));
  }

  update(wanted: object) {
    const { resource, id, owner } = this.made;
    return this.attempt('update', async (signal) => resource.update?.(id, structuredClone(wanted), { owner, signal }));
  }

  /** Deletes the object and waits until it is gone from all lists. */
  async remove(when: string): Promise<void> {
    const { resource, id, owner } = this.made;
    const goes = () => this.call('delete', when, async (signal) => resource.delete(id, { owner, signal }));
    for (let asked = 0; (await goes()) === 'deleting'; asked += 1) {
      expect(
        asked < 100,
        'delete answers "deleting" for ever',
        'answer "deleting" only while the object is still there',
      );
      await this.scenario.wait(5_000);
    }
    await this.scenario.wait(resource.listLagMs ?? 0);
  }

  /** Returns all existing external objects. */
  async remoteText(): Promise<string> {
    return asText((await this.scenario.remote()).map(asText).sort());
  }
}

/**
 * Waits until a workspace has settled, stops the sequencer, and runs a proof on each object that it has created by a resource with this function.
 * @returns the reason why nothing is proved, if any
 */
export const withCreatedObjects = (
  subject: Subject,
  prove: (caller: ResourceCaller) => Promise<void>,
  name: FunctionName & keyof AnyResource = 'delete',
): Promise<string | undefined> =>
  Scenario.during(subject, async (scenario) => {
    await scenario.create();
    await expectCompleted(scenario);
    const made = [...scenario.record.made.values()].filter(({ resource }) => resource[name] !== undefined);
    if (made.length === 0) return `no resource of it has ${name}`;
    await scenario.annotate({ [pausedAnnotation]: 'true' });
    for (const one of made.slice(0, maxObjects)) await prove(new ResourceCaller(scenario, one));
    return undefined;
  });

/** Returns the proof of a case by each object that is created; see {@link withMade}. */
export const withResourceCaller =
  (name: CaseName & FunctionName, prove: (caller: ResourceCaller, subject: Subject) => Promise<void>) =>
  (subject: Subject): Promise<string | undefined> =>
    withCreatedObjects(subject, (caller) => prove(caller, subject), name);
