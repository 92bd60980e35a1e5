/** Event recorder of a controller. */

import { createRecorder, type Recorder } from '../../client/events/recorder.ts';
import type { WorkOptions } from './work-options.ts';

type EventsOptions = Pick<WorkOptions, 'events' | 'client' | 'clock' | 'random' | 'logger'>;

/** Event recorder of a controller's runs. */
export type Events = Pick<Recorder, 'event' | 'close'>;

/** Returns the recorder of the options, which the caller closes, or one that is created for the first event. */
export function eventsOf(component: string, { events, client, clock, random, logger }: EventsOptions): Events {
  if (events !== undefined) return { event: events.event.bind(events), close: async () => undefined };
  let recorder: Recorder | undefined;
  const create = (): Recorder =>
    createRecorder({
      client,
      component,
      ...(clock && { clock }),
      ...(random && { random }),
      ...(logger && { logger }),
    });
  return {
    event: (...report) => {
      recorder ??= create();
      recorder.event(...report);
    },
    close: async () => recorder?.close(),
  };
}
