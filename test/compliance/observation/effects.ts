/** Effects of the sequencer's runs, with injected faults and crashes. */

import { UnreachableError } from '../../../sdk/index.ts';
import { CallRecorder, type EffectHooks } from './call-recorder.ts';
import type { Call, CrashPoint, Effect, FaultPlan, PendingEffect, SequencerProcess } from './effect.ts';
import { atThirdParty } from './tracked-timers.ts';

const never = (): Promise<never> => new Promise(() => {});

/** Limit of the reads and effects of a scenario within one step of its clock. */
const maxEffectsPerStep = 2_000;

/** Ordered effects of all runs of one scenario, with the faults and crashes of its plan. */
export class Effects {
  /** Effects so far, in order. */
  readonly done: Effect[] = [];
  readonly #calls: CallRecorder;
  /** Names of the calls by runs that have crashed. */
  readonly callsAfterCrash: string[] = [];
  /** May be changed during a scenario. */
  plan: FaultPlan;
  readonly #hooks: EffectHooks;
  #inProgress = 0;
  /** Time at which the last effect succeeded; undefined when it failed or is in progress. */
  #ended: number | undefined;
  #cutOff = false;
  #inStep = 0;

  constructor(plan: FaultPlan, hooks: EffectHooks) {
    this.plan = plan;
    this.#hooks = hooks;
    this.#calls = new CallRecorder(this, hooks);
  }

  /** Calls to the third party, in order. */
  get calls(): readonly Call[] {
    return this.#calls.calls;
  }

  /** Number of effects in progress, during which the clock does not advance. */
  get inProgress(): number {
    return this.#inProgress;
  }

  /** Reports whether a step has more effects than the limit; further ones are not carried out. */
  get isEndless(): boolean {
    return this.#inStep > maxEffectsPerStep;
  }

  /** Begins a step of the clock. */
  beginStep(): void {
    this.#inStep = 0;
  }

  /** Removes all faults. */
  removeFaults(): void {
    this.plan = {};
    this.#cutOff = false;
  }

  /** Reads for a run; a crashed run never gets a response. */
  async read<T>(sequencer: SequencerProcess, carryOut: () => Promise<T>): Promise<T> {
    this.#inStep += 1;
    if (sequencer.dead || this.isEndless) return never();
    return this.carryOut(sequencer, carryOut);
  }

  /** Carries out an effect for a run, subject to the plan. */
  async perform<T>(sequencer: SequencerProcess, pending: PendingEffect<T>): Promise<T> {
    this.#inStep += 1;
    const { name, kind } = pending;
    if (sequencer.dead && kind === 'call') this.callsAfterCrash.push(name);
    if (sequencer.dead || this.isEndless) return never();
    const effect = this.#begin({ name, kind, run: sequencer.number });
    if (this.#crashes(effect, 'before')) return this.#crash();
    if (this.#cutOff) throw new UnreachableError({ method: 'PATCH', path: '/', server: 'cluster' }, 'cut off', false);
    const answer = await (kind === 'call'
      ? this.#calls.perform(sequencer, pending)
      : this.carryOut(sequencer, () => pending.carryOut()));
    this.#ended = this.#hooks.now();
    if (this.#crashes(effect, 'after')) return this.#crash();
    if (name === this.plan.cutOffAfter) this.#cutOff = true;
    return answer;
  }

  /** Records an effect. @returns its number */
  #begin(effect: Omit<Effect, 'follows'>): number {
    const follows = this.#inProgress === 0 && this.#ended === this.#hooks.now();
    this.#ended = undefined;
    return this.done.push({ ...effect, follows });
  }

  #crashes(effect: number, side: CrashPoint['side']): boolean {
    return this.plan.crash?.effect === effect && this.plan.crash.side === side;
  }

  #crash(): Promise<never> {
    this.#hooks.onCrash();
    return never();
  }

  /** Carries out an effect to its end; never resolves for a run that has crashed meanwhile. */
  async carryOut<T>(sequencer: SequencerProcess, carryOut: () => Promise<T>): Promise<T> {
    this.#inProgress += 1;
    const [outcome] = await Promise.allSettled([atThirdParty(carryOut)]);
    this.#inProgress -= 1;
    if (sequencer.dead) return never();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }
}
