/** Effects of the sequencer's runs, with injected faults and crashes. */

import { messageOf, UnreachableError } from '../../../sdk/index.ts';
import { type Failures, patienceOf } from '../subject/failures.ts';
import { arrives, type CallEnd, endingOf, type Fault, type FaultOf, hung } from './faults.ts';
import { type FunctionName, invocation, readerOf } from './invocations.ts';
import { atThirdParty, fireTimers } from './own-timers.ts';
import { contentsOf, notePolls } from './polls.ts';

/** Effect of a run of the sequencer: a write to the API server, or a call to the third party. */
export interface Effect {
  /** Name in the terms of an integration's author: `the intent`, `POST /records`. */
  readonly name: string;
  readonly kind: 'write' | 'call';
  /** Number of the sequencer's run, from 1. */
  readonly run: number;
  /** True when it began at the very time at which the last one had succeeded: a crash before it leaves what one after that leaves. */
  readonly follows: boolean;
}

/** Point of a scenario: just before or just after an effect, counted from 1. */
export interface CrashPoint {
  readonly effect: number;
  readonly side: 'before' | 'after';
}

/** Faults and crashes of a scenario; none by default. */
export interface Plan {
  readonly crash?: CrashPoint;
  /** Returns the fault of a call by its number, from 1. */
  readonly fault?: (nth: number, call: Pick<Call, 'name' | 'isHttp'>) => FaultOf | undefined;
  /** Name of the effect after which all further ones fail. */
  readonly cutOffAfter?: string;
  /** Time that the scenario takes without its fault, in ms of the clock: no attempt continues for more than that and three leases. @default the guard's limit */
  readonly usually?: number | undefined;
  /** True to record for each call whether it changed the third party's state. */
  readonly compares?: boolean;
}

/** Recorded call. */
export interface Call {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  /** True when it is a request by `run.fetch`. */
  readonly isHttp: boolean;
  /** Function of the integration that made it, if known. */
  readonly by: FunctionName | undefined;
  readonly run: number;
  readonly fault: Fault | undefined;
  /** Result: `answered`, `HTTP 404` or the message of an error; undefined while in progress. */
  end: string | undefined;
  /** True when it changed the third party's state, if that was compared. */
  changed: boolean;
  /** Name of an earlier call of the same function that changed something, if that was compared. */
  readonly after: string | undefined;
  /** Name and arguments as text: equal for equal calls; undefined where they cannot be compared. */
  readonly contents: string | undefined;
  /** Time of the scenario's clock, in ms. */
  readonly at: number;
  /** Time in ms that its answer names in Retry-After, if any. */
  patience: number | undefined;
}

/** Effect to be carried out. */
export interface PendingEffect<T> {
  readonly name: string;
  readonly kind: Effect['kind'];
  readonly args: readonly unknown[];
  readonly signal?: AbortSignal | undefined;
  /** @default false */
  readonly isHttp?: boolean;
  carryOut(): Promise<T>;
}

/** Run of the sequencer, as its effects see it. */
export interface SequencerProcess {
  readonly number: number;
  dead: boolean;
}

const never = (): Promise<never> => new Promise(() => {});

const endOf = (answer: unknown): string => (answer instanceof Response ? `HTTP ${answer.status}` : 'answered');

/** Limit of the reads and effects of a scenario within one step of its clock. */
const mostInStep = 2_000;

/** Environment of the effects of a scenario. */
export interface Surroundings {
  readonly failures: Failures;
  /** Reads the third party's state in words; undefined where reading takes time. */
  readonly remote: (() => Promise<string>) | undefined;
  now(): number;
  onCrash(): void;
  /** Called when a read-only function has changed something. */
  onIntrusion(reader: string, call: Call): unknown;
  /** Called when a call has changed something after the function that made it was over. */
  onLate(name: FunctionName, call: Call): unknown;
}

/** Ordered effects of all runs of one scenario, with the faults and crashes of its plan. */
export class Effects {
  readonly done: Effect[] = [];
  readonly calls: Call[] = [];
  /** Names of calls by runs that are dead, which nothing answers. */
  readonly unheard: string[] = [];
  /** May be changed during a scenario. */
  plan: Plan;
  readonly #around: Surroundings;
  #underWay = 0;
  /** Time at which the last effect succeeded; undefined when it has not. */
  #ended: number | undefined;
  #cutOff = false;
  #inStep = 0;

  constructor(plan: Plan, around: Surroundings) {
    this.plan = plan;
    this.#around = around;
  }

  /** Number of effects in progress; the clock stands still meanwhile. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Reports whether the effects of a step came to no end; none is carried out since. */
  get isEndless(): boolean {
    return this.#inStep > mostInStep;
  }

  /** Begins a step of the clock. */
  beginStep(): void {
    this.#inStep = 0;
  }

  /** Removes all faults. */
  happyPath(): void {
    this.plan = {};
    this.#cutOff = false;
  }

  /** Reads for a run; a dead run never gets a response. */
  async read<T>(sequencer: SequencerProcess, carryOut: () => Promise<T>): Promise<T> {
    this.#inStep += 1;
    if (sequencer.dead || this.isEndless) return never();
    return this.#carry(sequencer, carryOut);
  }

  /** Carries out an effect for a run, subject to the plan. */
  async perform<T>(sequencer: SequencerProcess, pending: PendingEffect<T>): Promise<T> {
    this.#inStep += 1;
    const { name, kind } = pending;
    if (sequencer.dead && kind === 'call') this.unheard.push(name);
    if (sequencer.dead || this.isEndless) return never();
    const effect = this.#begin({ name, kind, run: sequencer.number });
    if (this.#crashes(effect, 'before')) return this.#crash();
    if (this.#cutOff) throw new UnreachableError({ method: 'PATCH', path: '/', server: 'cluster' }, 'cut off', false);
    const answer = await (kind === 'call'
      ? this.#call(sequencer, pending)
      : this.#carry(sequencer, () => pending.carryOut()));
    this.#ended = this.#around.now();
    if (this.#crashes(effect, 'after')) return this.#crash();
    if (name === this.plan.cutOffAfter) this.#cutOff = true;
    return answer;
  }

  /** Records an effect. @returns its number */
  #begin(effect: Omit<Effect, 'follows'>): number {
    const follows = this.#underWay === 0 && this.#ended === this.#around.now();
    this.#ended = undefined;
    return this.done.push({ ...effect, follows });
  }

  #crashes(effect: number, side: CrashPoint['side']): boolean {
    return this.plan.crash?.effect === effect && this.plan.crash.side === side;
  }

  #crash(): Promise<never> {
    this.#around.onCrash();
    return never();
  }

  async #call<T>(sequencer: SequencerProcess, pending: PendingEffect<T>): Promise<T> {
    const { name, signal, isHttp = false } = pending;
    const by = invocation.getStore();
    const fault = this.plan.fault?.(this.calls.length + 1, { name, isHttp });
    const after = by?.calls.findLast(({ changed }) => changed)?.name;
    const contents = by && contentsOf(name, pending.args);
    const told = { by: by?.name, run: sequencer.number, fault: fault?.kind, after, contents };
    const at = this.#around.now();
    const call: Call = { name, signal, isHttp, ...told, end: undefined, changed: false, at, patience: undefined };
    this.calls.push(call);
    by?.calls.push(call);
    notePolls(by, call);
    try {
      if (fault?.kind === 'hang') return await hung(signal);
      const own = arrives(fault) ? await this.#reach(sequencer, pending, call) : undefined;
      if (fault?.kind === 'silent') {
        queueMicrotask(() => fireTimers(by));
        return await hung(signal);
      }
      const answer = fault === undefined ? own : await this.#ending(fault, { args: pending.args, own, signal }, call);
      call.end = endOf(answer);
      return answer as T;
    } catch (error) {
      call.end = messageOf(error);
      throw error;
    }
  }

  /** Passes a call on to the third party. */
  async #reach<T>(sequencer: SequencerProcess, pending: PendingEffect<T>, call: Call): Promise<T> {
    const by = invocation.getStore();
    const reader = readerOf(call.by);
    const { remote } = this.#around;
    const compares = this.plan.compares || by?.isOver || reader !== undefined || call.fault !== undefined;
    if (!compares || remote === undefined) return this.#carry(sequencer, () => pending.carryOut());
    const wasBusy = this.#underWay > 0;
    const { length } = this.done;
    return this.#carry(sequencer, async () => {
      const before = await remote();
      const [outcome] = await Promise.allSettled([pending.carryOut()]);
      const isAlone = !wasBusy && this.done.length === length;
      call.changed = isAlone && (await remote()) !== before;
      if (call.changed && reader !== undefined) this.#around.onIntrusion(reader, call);
      else if (call.changed && by?.isOver) this.#around.onLate(by.name, call);
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** Returns the answer to a faulty call. @throws it, when it is an error */
  async #ending(fault: FaultOf, told: CallEnd, call: Call): Promise<unknown> {
    const said = await endingOf(this.#around.failures, fault, told);
    call.patience = patienceOf(said);
    if (said instanceof Error) throw said;
    return said;
  }

  /** Carries out an effect even if the run dies meanwhile; then it never resolves. */
  async #carry<T>(sequencer: SequencerProcess, carryOut: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    const [outcome] = await Promise.allSettled([atThirdParty(carryOut)]);
    this.#underWay -= 1;
    if (sequencer.dead) return never();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }
}
