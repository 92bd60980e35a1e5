import { UnreachableError } from '../../sdk/index.ts';
import type { FailureClass, Failures } from './failures.ts';

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

/** What is to happen in a life; nothing, unless said. */
export interface Plan {
  readonly crash?: CrashPoint;
  /** By number of the call, from 1. */
  readonly fault?: (call: number) => Fault | undefined;
  /** From the effect after this one on nothing gets through. */
  readonly cutOffAfter?: string;
}

/** A call that was made. */
export interface Call {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  /** It was left without an answer. */
  hangs: boolean;
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

/** Everything that all runs of one life do, in order; and where it is broken off. */
export class Effects {
  readonly done: Effect[] = [];
  readonly calls: Call[] = [];
  /** May be changed while a life goes on. */
  plan: Plan;
  readonly #failures: Failures;
  readonly #onCrash: () => void;
  #underWay = 0;
  #cutOff = false;

  constructor(plan: Plan, failures: Failures, onCrash: () => void) {
    this.plan = plan;
    this.#failures = failures;
    this.#onCrash = onCrash;
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
    this.#onCrash();
    return never();
  }

  async #call<T>(liver: Liver, deed: Deed<T>): Promise<T> {
    const call: Call = { name: deed.name, signal: deed.signal, hangs: false };
    const number = this.calls.push(call);
    const fault = this.plan.fault?.(number);
    if (fault === undefined) return this.#carry(liver, () => deed.carryOut());
    if (fault === 'hang') {
      call.hangs = true;
      return hung(deed.signal);
    }
    if (fault === 'lost after') await this.#carry(liver, () => deed.carryOut());
    return this.#fail(classOf[fault], deed.args) as T;
  }

  #fail(failure: FailureClass, args: readonly unknown[]): unknown {
    const said = this.#failures[failure]?.(...(args as readonly never[]));
    if (said === undefined || said instanceof Error) throw said ?? new Error('no answer');
    return said;
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
