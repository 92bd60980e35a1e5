/** Collects the events of a watch and compares them with the recording. */

import { faults } from './compare.ts';
import { filledIn, valueAt, withoutManagedFields } from './paths.ts';
import type { Labels } from './placeholders.ts';
import type { Case, Json, Step } from './recording.ts';
import type { OpenWatch, Session, WatchEvent } from './session.ts';

/** Collected events of a watch, and their deviations from the recording. */
export interface Collected {
  readonly events: readonly unknown[];
  readonly problems: readonly string[];
}

interface Collecting {
  readonly recorded: Case;
  readonly session: Session;
  readonly labels: Labels;
  readonly captured: Readonly<Record<string, string>>;
}

const isBookmark = ({ type }: WatchEvent): boolean => type === 'BOOKMARK';
const endsInitial = ({ object }: WatchEvent): boolean =>
  valueAt(object, 'metadata.annotations["k8s.io/initial-events-end"]') !== undefined;

/** Counted events: `end` keeps the bookmark that ends the initial events, `once` the first one in a row. */
const counted: Readonly<Record<string, (events: readonly WatchEvent[]) => WatchEvent[]>> = {
  end: (events) => events.filter((event) => !isBookmark(event) || endsInitial(event)),
  once: (events) =>
    events.filter((event, index) => !isBookmark(event) || index === 0 || !isBookmark(events[index - 1]!)),
};

const keyOf = ({ object }: WatchEvent): string =>
  `${valueAt(object, 'metadata.namespace') ?? ''}/${valueAt(object, 'metadata.name') ?? ''}`;

/** Sorts each run of events between bookmarks. */
function sortedRuns(events: readonly WatchEvent[]): WatchEvent[] {
  const sorted: WatchEvent[] = [];
  let run: WatchEvent[] = [];
  const flush = () => {
    sorted.push(...run.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0)));
    run = [];
  };
  for (const event of events) {
    if (!isBookmark(event)) run.push(event);
    else {
      flush();
      sorted.push(event);
    }
  }
  flush();
  return sorted;
}

function partsOf({ type, object }: WatchEvent, paths: readonly string[]): Json {
  const parts = paths.map((path): [string, unknown] => [path, valueAt(object, path)]);
  return { type, ...Object.fromEntries(parts.filter(([, value]) => value !== undefined)) };
}

function shaped({ types, only }: Step, events: readonly WatchEvent[]): readonly unknown[] {
  if (types) return events.map(({ type }) => ({ type }));
  return only === undefined ? events : events.map((event) => partsOf(event, only));
}

const maxWait = 20_000;
const quiet = 250;

/** Collects the events that a step expects, and checks that no others arrive. */
export async function collected(run: Collecting, step: Step, watched: OpenWatch): Promise<Collected> {
  const { recorded, session, labels, captured } = run;
  const count = counted[step.bookmarks ?? ''] ?? ((events) => [...events]);
  const expected = step.events ?? [];
  const problems: string[] = [];
  if (step.closed) {
    if (!(await session.wait(maxWait, watched.isOver))) problems.push('the server did not end the watch');
  } else {
    await session.wait(maxWait, () => watched.isOver() || count(watched.events).length >= expected.length);
    const have = watched.events.length;
    if (step.count === undefined) await session.wait(quiet, () => watched.isOver() || watched.events.length > have);
  }
  const taken = count(watched.events.splice(0)).map((event) =>
    recorded.managedFields ? event : (withoutManagedFields(event) as WatchEvent),
  );
  const events = shaped(step, step.sorted ? sortedRuns(taken) : taken);
  const contains = step.bodyMatch === 'contains';
  for (const fault of faults(filledIn(expected, captured), events, { labels, contains }))
    problems.push(`events${fault}`);
  return { events, problems };
}
