import { createRecorder, type Recorder } from '../client/recorder.ts';
import type { WorkOptions } from './work-options.ts';

type EventsOptions = Pick<WorkOptions, 'events' | 'client' | 'clock' | 'random' | 'logger'>;

/** Where the runs of a controller report to. */
export type Events = Pick<Recorder, 'event' | 'close'>;

/** The sink given in the options, which is not ours to close, or a recorder made when the first event is reported. */
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
