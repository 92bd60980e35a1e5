/** Hooks that detect changes by functions that must not make any, and endless loops. */

import type { Clock } from '../../../sdk/index.ts';
import type { EffectHooks } from '../observation/call-recorder.ts';
import type { Effects } from '../observation/effects.ts';
import type { Observations } from '../observation/observations.ts';
import { maxTurns } from '../observation/observed-integration.ts';
import { Finding } from './report.ts';

/** Returns hooks that record changes of external objects by functions that must not make any. */
export const changeHooks = (
  { mistakes }: Observations,
  clock: Clock,
): Pick<EffectHooks, 'now' | 'onReadOnlyChange' | 'onLateChange'> => ({
  now: () => clock.monotonic(),
  onReadOnlyChange: (reader, { name }) =>
    mistakes.add(
      `${reader} changed what exists at the third party by ${name}: only create, update, delete and the task of a guard may. A service that works on after its answer, or lists late, does so, too: let the fetch that start answers wait for it after each write`,
    ),
  onLateChange: (name, call) =>
    mistakes.add(
      `${name} was over, and changed what exists at the third party by ${call.name}: await each request, and each function that makes one; no timer may continue`,
    ),
});

/** Begins a step of the clock, whose effects and turns are counted. */
export function beginStep(effects: Effects, record: Observations): void {
  effects.beginStep();
  record.turns = 0;
}

/** @throws Finding when this step of the clock never ends */
export function expectRest({ isEndless, done }: Effects, { turns }: Observations): void {
  if (!isEndless && turns <= maxTurns) return;
  const last = isEndless ? [...new Set(done.slice(-6).map(({ name }) => name))] : ['reconcile or terminate'];
  throw new Finding(`it never comes to rest: within a second it repeats ${last.join(', ')}`, [
    'it is called again at once: return what ensure and destroy answer, let errors out of reconcile and terminate, and come back by requeueAfter in seconds rather than ms; ThrottledError takes ms, too, where Retry-After is in seconds',
  ]);
}
