/** Carries out effects of a process on the outside, with the faults of each. */

import { type Fault, isOfTheWorld, type RefusedWrite } from '../faults/faults.ts';
import type { Process, World } from './process.ts';

/** Effect of a process on the outside. */
export interface Effect<T> {
  readonly kind: 'request' | 'call';
  /** Short description for the trace. */
  readonly text: string;
  /** Kind of the sequencer's write, if it is one. */
  readonly write?: RefusedWrite | undefined;
  /** Called when it is sent. */
  onSend?(): void;
  /** Carries it out, atomically. */
  carryOut(): Promise<T>;
  /** Applies a fault of its own kind; undefined when the fault does not apply. */
  bend(fault: Fault): Course<T> | undefined;
  /** Describes an answer in a few words, for the trace. */
  describe(answer: T): string;
}

/** Course of an effect under a fault. */
export interface Course<T> {
  /** Time of execution: never, on arrival, or that many ms later. */
  readonly carriedOut: 'never' | 'on arrival' | number;
  /** Further latency on the way there, ms. */
  readonly slow?: number;
  /** Returns the result in place of the answer. */
  answer(value: T | undefined): Promise<T>;
}

const never = (): Promise<never> => new Promise(() => {});

const plain: Omit<Course<never>, 'answer'> = { carriedOut: 'on arrival' };

/** Latency of one way, ms. */
const latency = (world: World): number => 1 + world.random.below(20);

async function carriedOut<T>(world: World, effect: Effect<T>, when: Course<T>['carriedOut']): Promise<T | undefined> {
  const { scheduler } = world;
  if (when === 'never') return undefined;
  if (when === 'on arrival') return effect.carryOut();
  scheduler.after(when, () => {
    void effect.carryOut().then(
      (answer) => world.note('late', `${effect.text}: ${effect.describe(answer)}`),
      (error) => world.note('late', `${effect.text}: ${error}`),
    );
  });
  return undefined;
}

/** Returns the first fault that changes the course of an effect, with that course. */
const bentBy = <T>(effect: Effect<T>, faults: readonly Fault[]) =>
  faults.flatMap((fault) => {
    const course = effect.bend(fault);
    return course === undefined ? [] : [{ fault, course }];
  })[0];

/** Stops or pauses a process whose effect was carried out, if a fault does that. */
function halt(process: Process, struck: (kind: Fault['kind']) => Fault | undefined): void {
  if (struck('stop') !== undefined) process.stop();
  const pause = struck('pause');
  if (pause !== undefined) process.pause(pause.ms);
}

/** Kills a process by a fault of this kind, if there is one. */
function dies(process: Process, struck: (kind: Fault['kind']) => Fault | undefined, kind: Fault['kind']): boolean {
  if (struck(kind) === undefined) return false;
  process.die();
  return true;
}

/** Pauses a process before it sends a call, if a fault does that. */
async function stall(process: Process, struck: (kind: Fault['kind']) => Fault | undefined): Promise<void> {
  const fault = struck('call stalls');
  if (fault === undefined) return;
  process.pause(fault.ms);
  await process.entered();
}

/** Returns the faults that refuse a write of the sequencer at this time. */
const refusals = ({ plan, scheduler }: World, write: RefusedWrite | undefined): readonly Fault[] =>
  write === undefined ? [] : plan.refusing(write, scheduler.now);

/**
 * Carries out an effect of a process, with its faults: it is counted and takes some virtual ms there and back. A crash happens before it is
 * sent, or after its execution and before its answer.
 */
export async function perform<T>(world: World, process: Process, effect: Effect<T>): Promise<T> {
  const { scheduler, plan, note } = world;
  const { write } = effect;
  const own = plan.next(effect.kind);
  const faults = [...own, ...refusals(world, write)];
  const strike = (fault: Fault): void => {
    plan.strike(fault, scheduler.now);
    note(process.name, `${effect.text}: ${fault.kind}`);
  };
  /** Strikes with the fault of a kind, if there is one, and returns it. */
  const struck = (kind: Fault['kind']): Fault | undefined => {
    const fault = faults.find((one) => one.kind === kind);
    if (fault !== undefined) strike(fault);
    return fault;
  };
  if (process.dead || dies(process, struck, 'crash before')) return never();
  if (effect.kind === 'call') await stall(process, struck);
  effect.onSend?.();
  const bent = bentBy(effect, faults);
  if (bent !== undefined) strike(bent.fault);
  note(process.name, `${effect.text} ...`);
  const { carriedOut: when, slow = 0 }: Omit<Course<T>, 'answer'> = bent?.course ?? plain;
  await scheduler.sleep(latency(world) + slow);
  const outcome = await settled(() => carriedOut(world, effect, when));
  for (const fault of own.filter(isOfTheWorld)) await world.act(fault);
  if (dies(process, struck, 'crash after')) return never();
  halt(process, struck);
  await scheduler.sleep(latency(world));
  await process.entered();
  if ('error' in outcome && when !== 'never') {
    note(process.name, `${effect.text}: ${outcome.error}`);
    throw outcome.error;
  }
  const answer = await answerOf<T>(outcome, bent?.course);
  note(process.name, `${effect.text}: ${effect.describe(answer)}`);
  return answer;
}

/** Returns the answer to an effect: its value, or what a fault makes of it. */
async function answerOf<T>(outcome: object, course: Course<T> | undefined): Promise<T> {
  const value = ('value' in outcome ? outcome.value : undefined) as T;
  return course === undefined ? value : course.answer(value);
}

async function settled<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
