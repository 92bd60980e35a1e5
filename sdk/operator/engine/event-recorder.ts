/** Event recorder of a controller. */

import { createRecorder, type Recorder } from '../../client/events/recorder.ts';
import type { WorkOptions } from './work-options.ts';

type EventsOptions = Pick<WorkOptions, 'events' | 'client' | 'clock' | 'random' | 'logger'>;

/** Event recorder of a controller's runs. */
export type Events = Pick<Recorder, 'event' | 'close'>;

/** Returns the recorder given in the options, which its owner closes, or creates one when the first event is recorded. */
export function eventsOf(component: string, { events, client, clock, random, logger }: EventsOptions): Events {
  if (events !== undefined) return { event: events.event.bind(events), close: async () => undefined };
  let recorder: Recorder | undefined;
  const made = (): Recorder =>
    createRecorder({
      client,
      component,
      ...(clock && { clock }),
      ...(random && { random }),
      ...(logger && { logger }),
    });
  return {
    event: (...report) => {
      recorder ??= made();
      recorder.event(...report);
    },
    close: async () => recorder?.close(),
  };
}
