/** One process of the sequencer in a scenario. */

import { type Integration, messageOf } from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/index.ts';
import type { SequencerProcess } from '../observation/effect.ts';
import type { Effects } from '../observation/effects.ts';
import { recordingClient } from '../observation/recording-client.ts';
import type { Subject } from '../subject/subject.ts';
import type { TestEnvironment } from './test-environment.ts';

/** Dependencies of a sequencer. */
interface SequencerDependencies {
  readonly environment: TestEnvironment;
  readonly effects: Effects;
  readonly integration: Integration;
  readonly target: Subject['target'];
  /** Receives all written states of workspaces, and all events. */
  readonly texts: string[];
  /** Ends the sequencer. */
  readonly signal: AbortSignal;
}

/** Starts a sequencer whose requests and calls are effects of this process. */
export function runSequencer(
  current: SequencerProcess,
  { environment, effects, integration, target, texts, signal }: SequencerDependencies,
): void {
  const { clock, random, times, retry, client, namespace, otherNamespace } = environment;
  const onWrite = (kind: string, written: unknown): void => {
    if (kind !== 'Secret') texts.push(JSON.stringify(written) ?? '');
  };
  const otherWrites = target === 'cluster' ? 'call' : 'write';
  const sequencer = createSequencer({
    client: recordingClient(client, { effects, sequencer: current, otherWrites, onWrite }),
    integrations: [integration],
    ...(otherNamespace === undefined && { namespace }),
    ...{ clock, random, times, retry },
    drain: 1,
    holder: `run-${current.number}`,
    events: { event: (...[, , reason, message]) => void texts.push(`${reason} ${message}`) },
  });
  sequencer.run(signal).catch((error: unknown) => {
    if (!current.dead && !signal.aborted) texts.push(`the sequencer ended: ${messageOf(error)}`);
  });
  sequencer.synced.catch(() => undefined);
}
