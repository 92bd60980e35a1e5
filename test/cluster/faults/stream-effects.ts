import { type EventLine, isChange, isInitialEnd } from './event-line.ts';
import type { Ending, Lifetime, WatchDeed } from './spec.ts';
import type { Delivery, StreamEffect } from './stream.ts';

/** Whether a fault takes a chance that it has; counts. */
export type Takes = () => boolean;

const pass = (line: EventLine, delay = 0): Delivery => ({ line, delay });

/** Changes lines of some sort, as often as the fault takes the chance. */
const changing = (
  isMeant: (line: EventLine) => boolean,
  takes: Takes,
  change: (line: EventLine) => readonly Delivery[],
): StreamEffect => ({
  deliveriesOf: (line) => (isMeant(line) && takes() ? change(line) : [pass(line)]),
});

const endingAfter = (events: number, ending: Ending, takes: Takes): StreamEffect => {
  const seen = new WeakMap<object, number>();
  return {
    deliveriesOf(line, watch) {
      if (!isChange(line)) return [pass(line)];
      const count = (seen.get(watch) ?? 0) + 1;
      seen.set(watch, count);
      return count === events && takes() ? [pass(line), { ending, delay: 0 }] : [pass(line)];
    },
  };
};

const simple: Readonly<Record<string, (takes: Takes) => StreamEffect>> = {
  lose: (takes) => changing(isChange, takes, () => []),
  duplicate: (takes) => changing(isChange, takes, (line) => [pass(line), pass(line)]),
  'hide-bookmarks': (takes) =>
    changing(
      (line) => line.type === 'BOOKMARK' && !isInitialEnd(line),
      takes,
      () => [],
    ),
  'hide-initial-end': (takes) => changing(isInitialEnd, takes, () => []),
};

function endingBy(life: Lifetime, ending: Ending, takes: Takes): StreamEffect {
  if ('events' in life) return endingAfter(life.events, ending, takes);
  return { lifeOf: () => (takes() ? { ms: life.ms, ending } : undefined) };
}

/** The effect of a deed on streams; undefined for deeds that are none on streams. */
export function streamEffectOf(deed: WatchDeed, takes: Takes): StreamEffect | undefined {
  if (typeof deed === 'string') return simple[deed]?.(takes);
  if ('delay' in deed)
    return changing(
      () => true,
      takes,
      (line) => [pass(line, deed.delay)],
    );
  const [[ending, life] = []] = Object.entries(deed) as [Ending, Lifetime][];
  return ending && life && endingBy(life, ending, takes);
}
