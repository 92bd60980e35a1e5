/** Follows the Kubernetes events of the workspaces that viewers have open, within bounds. */

import { backoffDelay, backoffs, type Client, type Clock, Event, parseKey, Workspace } from '../../sdk/index.ts';
import type { EventView } from './page-model.ts';
import { maxTextLength } from './workspace-row.ts';

/** Events of one workspace. */
export interface FollowedEvents extends Disposable {
  /** Returns the latest events, the latest first. */
  latest(): readonly EventView[];
}

/** Options of {@link followEvents}. */
export interface EventOptions {
  readonly client: Pick<Client, 'watch'>;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Called after each change. Must not throw. */
  readonly onChange: () => void;
}

/** Limit of the events of a workspace that are kept. */
const maxEvents = 50;

const timeOf = ({ series, lastTimestamp, eventTime, metadata }: Event): string =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';

const viewOfEvent = (event: Event, redact: (text: string) => string): EventView => ({
  at: timeOf(event),
  type: event.type === 'Warning' ? 'Warning' : 'Normal',
  reason: redact(event.reason ?? '').slice(0, 128),
  message: redact(event.message ?? '').slice(0, maxTextLength),
  count: event.series?.count ?? event.count ?? 1,
  from: redact(event.reportingComponent || event.source?.component || '').slice(0, 128),
});

/** Watches the events about one workspace until disposed: the latest fifty, of all reporters. A failed watch is restarted. */
export function followEvents(key: string, { client, clock, redact, onChange }: EventOptions): FollowedEvents {
  const ended = new AbortController();
  const { signal } = ended;
  const { namespace, name } = parseKey(key);
  const known = new Map<string, EventView>();

  const store = (event: Event): void => {
    known.set(event.metadata.name, viewOfEvent(event, redact));
    if (known.size <= maxEvents) return;
    const [oldest] = [...known].reduce((one, other) => (other[1].at < one[1].at ? other : one));
    known.delete(oldest);
  };
  const watch = async (): Promise<void> => {
    const fields = `involvedObject.kind=${Workspace.kind},involvedObject.name=${name}`;
    const where = namespace === undefined ? {} : { namespace };
    for await (const event of client.watch(Event, { ...where, fields, signal })) {
      if (event.type === 'BOOKMARK') continue;
      if (event.type === 'DELETED') known.delete(event.object.metadata.name);
      else store(event.object);
      onChange();
    }
  };
  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      const startedAt = clock.monotonic();
      await watch().catch(() => undefined);
      failures = clock.monotonic() - startedAt > backoffs.connection.maxDelay ? 0 : failures + 1;
      await clock.sleep(backoffDelay(backoffs.connection, failures), signal).catch(() => undefined);
    }
  };
  void run();
  return {
    latest: () => [...known.values()].sort((one, other) => (one.at < other.at ? 1 : -1)),
    [Symbol.dispose]: () => ended.abort(),
  };
}
