/** State of the sequencer for the page. */

import { type ControllerHealth, type Integration, type LimitState, problemsOf } from '../../sdk/index.ts';
import type { LimitView, ProcessView } from './page-model.ts';

/** State of a sequencer. */
export interface SequencerState {
  /** Undefined while none runs. */
  readonly health: ControllerHealth | undefined;
  readonly limits: readonly LimitState[];
  /** Problems that prevent it from walking, as sentences. */
  readonly problems: readonly string[];
}

const queueOfNone = { ready: 0, delayed: 0, held: 0, running: 0 };

/** Rate limits by name, without the credential. */
const limitView =
  (integrations: readonly Integration[]) =>
  ({ limits, credential, breaker, waiting, pause }: LimitState): LimitView => ({
    integrations: integrations.flatMap((one) => (one.limits === limits ? [one.name] : [])),
    credential,
    breaker,
    waiting,
    wait: Math.round(pause),
  });

/** Returns the view of the sequencer's process. Pure. */
export function processViewOf(
  { health, limits, problems }: SequencerState,
  integrations: readonly Integration[],
): ProcessView {
  const { ready, delayed, held, running } = health?.queue ?? queueOfNone;
  return {
    synced: health?.synced ?? false,
    ready,
    delayed,
    held,
    running,
    runs: health?.runs ?? 0,
    failures: health?.failures ?? 0,
    failing: health?.failing ?? 0,
    limits: limits.map(limitView(integrations)),
    problems: [...problems, ...(health === undefined ? ['no sequencer runs'] : problemsOf(health))],
  };
}
