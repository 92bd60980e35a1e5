/** Records the calls to the third party in `connect`, which has no guard. */

import type { Provider } from '../../../sdk/index.ts';
import { createInvocation, invocation } from './invocations.ts';
import { recordMistake } from './mistakes.ts';
import type { Observations } from './observations.ts';

/** Runs a `connect`; records a call that it makes as a mistake. */
export async function recordedConnect<Settings>(
  record: Observations,
  connect: () => Provider<Settings> | Promise<Provider<Settings>>,
): Promise<Provider<Settings>> {
  const current = createInvocation('connect', record);
  try {
    return await invocation.run(current, connect);
  } finally {
    const [call] = current.calls;
    recordMistake(
      record,
      call &&
        `connect sends ${call.name}: it is called for each walk, also of a workspace that is deleted, and without the guard's limits, deadlines and retries; create clients outside of it, and call the third party in reconcile, in a task of a guard, or in a function of a resource`,
    );
  }
}
