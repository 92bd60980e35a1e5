/** Calls to the third party: their record, and the faults that are injected into them. */

import { messageOf } from '../../../sdk/index.ts';
import { type Failures, retryAfterOf } from '../subject/failures.ts';
import type { Call, Effect, FaultPlan, PendingEffect, SequencerProcess } from './effect.ts';
import { type CallEnd, type CallFault, faultResult, isCarriedOut, untilAborted } from './faults.ts';
import { type FunctionName, invocation, readerOf } from './invocations.ts';
import { contentsOf, recordPolling } from './polls.ts';
import { fireTimers } from './tracked-timers.ts';

const endOf = (answer: unknown): string => (answer instanceof Response ? `HTTP ${answer.status}` : 'answered');

/** Hooks of the effects of a scenario. */
export interface EffectHooks {
  readonly failures: Failures;
  /** Returns the third party's state as text; undefined where reading it takes time. */
  readonly remote: (() => Promise<string>) | undefined;
  /** Returns the time of the scenario's clock, in ms. */
  now(): number;
  /** Called at the crash point of the plan. */
  onCrash(): void;
  /** Called when a read-only function has changed something. */
  onReadOnlyChange(reader: string, call: Call): unknown;
  /** Called when a call has changed something after the function that made it was over. */
  onLateChange(name: FunctionName, call: Call): unknown;
}

/** Effects that the calls are part of. */
interface EffectQueue {
  readonly plan: FaultPlan;
  readonly done: readonly Effect[];
  readonly inProgress: number;
  carryOut<T>(sequencer: SequencerProcess, act: () => Promise<T>): Promise<T>;
}

/** Performs and records the calls of one scenario. */
export class CallRecorder {
  readonly calls: Call[] = [];
  readonly #effects: EffectQueue;
  readonly #hooks: EffectHooks;

  constructor(effects: EffectQueue, hooks: EffectHooks) {
    this.#effects = effects;
    this.#hooks = hooks;
  }

  /** Performs a call, subject to the plan, and records its result. */
  async perform<T>(sequencer: SequencerProcess, pending: PendingEffect<T>): Promise<T> {
    const { name, signal, isHttp = false } = pending;
    const by = invocation.getStore();
    const fault = this.#effects.plan.fault?.(this.calls.length + 1, { name, isHttp, by: by?.name });
    const after = by?.calls.findLast(({ changed }) => changed)?.name;
    const contents = by && contentsOf(name, pending.args);
    const details = { by: by?.name, run: sequencer.number, fault: fault?.kind, after, contents };
    const at = this.#hooks.now();
    const open = { lastBegun: undefined, end: undefined, changed: false, retryAfter: undefined };
    const call: Call = { nth: this.calls.length + 1, name, signal, isHttp, ...details, at, ...open };
    this.calls.push(call);
    by?.calls.push(call);
    recordPolling(by, call);
    try {
      if (fault?.kind === 'hang') return await untilAborted(signal);
      const own = isCarriedOut(fault) ? await this.#carryOut(sequencer, pending, call) : undefined;
      if (fault?.kind === 'silent') {
        queueMicrotask(() => fireTimers(by));
        return await untilAborted(signal);
      }
      const answer =
        fault === undefined ? own : await this.#resultOfFault(fault, { args: pending.args, own, signal }, call);
      call.end = endOf(answer);
      return answer as T;
    } catch (error) {
      call.end = messageOf(error);
      throw error;
    } finally {
      call.lastBegun = this.calls.length;
    }
  }

  /** Passes a call on to the third party, and records whether it has changed something there. */
  async #carryOut<T>(sequencer: SequencerProcess, pending: PendingEffect<T>, call: Call): Promise<T> {
    const by = invocation.getStore();
    const reader = readerOf(call.by);
    const { remote } = this.#hooks;
    const recordsChange =
      this.#effects.plan.recordsChanges || by?.isOver || reader !== undefined || call.fault !== undefined;
    if (!recordsChange || remote === undefined) return this.#effects.carryOut(sequencer, () => pending.carryOut());
    const wasBusy = this.#effects.inProgress > 0;
    const { length } = this.#effects.done;
    return this.#effects.carryOut(sequencer, async () => {
      const before = await remote();
      const [outcome] = await Promise.allSettled([pending.carryOut()]);
      const isAlone = !wasBusy && this.#effects.done.length === length;
      call.changed = isAlone && (await remote()) !== before;
      if (call.changed && reader !== undefined) this.#hooks.onReadOnlyChange(reader, call);
      else if (call.changed && by?.isOver) this.#hooks.onLateChange(by.name, call);
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** Returns the response to a call with a fault. @throws the fault, when it is an error */
  async #resultOfFault(fault: CallFault, details: CallEnd, call: Call): Promise<unknown> {
    const result = await faultResult(this.#hooks.failures, fault, details);
    call.retryAfter = retryAfterOf(result);
    if (result instanceof Error) throw result;
    return result;
  }
}
