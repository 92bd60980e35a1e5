import { messageOf, UnreachableError } from '../../sdk/index.ts';
import { type Failures, failuresOf } from './failures.ts';
import { type FunctionName, invocation, readerOf } from './invocations.ts';

/** Something that a run of the sequencer does: a write to the API server, or a call to the third party. */
export interface Effect {
  /** In the words of whoever writes integrations: `the intent`, `POST /records`. */
  readonly name: string;
  readonly kind: 'write' | 'call';
  /** Which run of the sequencer, from 1. */
  readonly run: number;
}

/** One moment of a life: just before or just after an effect, counted from 1. */
export interface CrashPoint {
  readonly effect: number;
  readonly side: 'before' | 'after';
}

/** What becomes of a call instead of success. */
export type Fault = 'definite' | 'throttled' | 'lost before' | 'lost after' | 'hang';

/** A fault, and which of the subject's failures of that class it is, from 0. */
export interface FaultOf {
  readonly kind: Fault;
  readonly variant?: number;
}

/** What is to happen in a life; nothing, unless said. */
export interface Plan {
  readonly crash?: CrashPoint;
  /** By number of the call, from 1. */
  readonly fault?: (call: number) => FaultOf | undefined;
  /** From the effect after this one on nothing gets through. */
  readonly cutOffAfter?: string;
  /** Of every call is told whether it changed what exists at the third party. */
  readonly compares?: boolean;
}

/** A call that was made. */
export interface Call {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  /** The function of the integration that made it, as far as that can be told. */
  readonly by: FunctionName | undefined;
  readonly run: number;
  readonly fault: Fault | undefined;
  /** What came of it: `answered`, `HTTP 404`, the message of an error; undefined while it is under way. */
  end: string | undefined;
  /** It has changed what exists at the third party, as far as that was looked at. */
  changed: boolean;
}

/** What is about to be done. */
export interface Deed<T> {
  readonly name: string;
  readonly kind: Effect['kind'];
  readonly args: readonly unknown[];
  readonly signal?: AbortSignal | undefined;
  carryOut(): Promise<T>;
}

/** One run of the sequencer, as its effects see it. */
export interface Liver {
  readonly number: number;
  dead: boolean;
}

const never = (): Promise<never> => new Promise(() => {});

const classOf = {
  definite: 'definite',
  throttled: 'throttled',
  'lost before': 'ambiguous',
  'lost after': 'ambiguous',
} as const;

const endOf = (answer: unknown): string => (answer instanceof Response ? `HTTP ${answer.status}` : 'answered');

/** What the effects of a life need to know of it. */
export interface Surroundings {
  readonly failures: Failures;
  /** What exists at the third party, in words; undefined where looking takes time. */
  readonly remote: (() => Promise<string>) | undefined;
  onCrash(): void;
  /** A function in which nothing may change has changed something. */
  onIntrusion(reader: string, call: Call): void;
}

/** Everything that all runs of one life do, in order; and where it is broken off. */
export class Effects {
  readonly done: Effect[] = [];
  readonly calls: Call[] = [];
  /** May be changed while a life goes on. */
  plan: Plan;
  readonly #around: Surroundings;
  #underWay = 0;
  #cutOff = false;

  constructor(plan: Plan, around: Surroundings) {
    this.plan = plan;
    this.#around = around;
  }

  /** How many deeds are being carried out: time stands still meanwhile. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Everything gets through again. */
  calm(): void {
    this.plan = {};
    this.#cutOff = false;
  }

  /** Reads for a run: nothing comes back to the dead. */
  async read<T>(liver: Liver, carryOut: () => Promise<T>): Promise<T> {
    if (liver.dead) return never();
    return this.#carry(liver, carryOut);
  }

  /** Does one thing for a run, unless the plan has something else in mind. */
  async perform<T>(liver: Liver, deed: Deed<T>): Promise<T> {
    if (liver.dead) return never();
    const { name, kind } = deed;
    const effect = this.done.push({ name, kind, run: liver.number });
    if (this.#crashes(effect, 'before')) return this.#crash();
    if (this.#cutOff) throw new UnreachableError({ method: 'PATCH', path: '/', server: 'cluster' }, 'cut off', false);
    const answer = await (kind === 'call' ? this.#call(liver, deed) : this.#carry(liver, () => deed.carryOut()));
    if (this.#crashes(effect, 'after')) return this.#crash();
    if (name === this.plan.cutOffAfter) this.#cutOff = true;
    return answer;
  }

  #crashes(effect: number, side: CrashPoint['side']): boolean {
    return this.plan.crash?.effect === effect && this.plan.crash.side === side;
  }

  #crash(): Promise<never> {
    this.#around.onCrash();
    return never();
  }

  async #call<T>(liver: Liver, deed: Deed<T>): Promise<T> {
    const { name, signal } = deed;
    const by = invocation.getStore();
    const fault = this.plan.fault?.(this.calls.length + 1);
    const told = { by: by?.name, run: liver.number, fault: fault?.kind };
    const call: Call = { name, signal, ...told, end: undefined, changed: false };
    this.calls.push(call);
    by?.calls.push(call);
    try {
      if (fault?.kind === 'hang') return await hung(signal);
      const arrives = fault === undefined || fault.kind === 'lost after';
      const reached = arrives ? await this.#reach(liver, deed, call) : undefined;
      const answer = fault === undefined ? (reached as T) : this.#failure<T>(fault, deed.args);
      call.end = endOf(answer);
      return answer;
    } catch (error) {
      call.end = messageOf(error);
      throw error;
    }
  }

  /** Lets a call through to the third party. */
  async #reach<T>(liver: Liver, deed: Deed<T>, call: Call): Promise<T> {
    const reader = readerOf(call.by);
    const { remote } = this.#around;
    const compares = this.plan.compares || reader !== undefined || call.fault !== undefined;
    if (!compares || remote === undefined) return this.#carry(liver, () => deed.carryOut());
    const wasBusy = this.#underWay > 0;
    const { length } = this.done;
    return this.#carry(liver, async () => {
      const before = await remote();
      const [outcome] = await Promise.allSettled([deed.carryOut()]);
      const isAlone = !wasBusy && this.done.length === length;
      call.changed = isAlone && (await remote()) !== before;
      if (call.changed && reader !== undefined) this.#around.onIntrusion(reader, call);
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** What a broken call ends with. @throws it, when it is an error */
  #failure<T>({ kind, variant = 0 }: FaultOf, args: readonly unknown[]): T {
    const failures = kind === 'hang' ? [] : failuresOf(this.#around.failures, classOf[kind]);
    const said = failures[variant % failures.length]?.(...(args as readonly never[]));
    if (said === undefined || said instanceof Error) throw said ?? new Error('no answer');
    return said as T;
  }

  /** Carries out what is done even if the run dies meanwhile; then nothing comes back. */
  async #carry<T>(liver: Liver, carryOut: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    const [outcome] = await Promise.allSettled([carryOut()]);
    this.#underWay -= 1;
    if (liver.dead) return never();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }
}

/** A call without an answer, until its signal aborts. */
const hung = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
