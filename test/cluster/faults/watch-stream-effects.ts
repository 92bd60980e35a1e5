/** Effects of faults on the events of watches. */

import type { EventFrame } from '../requests/watch-framing.ts';
import type { Ending, Lifetime, WatchAction } from './spec.ts';
import { isChange, isInitialEnd } from './watch-event-types.ts';
import type { Delivery, StreamEffect } from './watch-stream.ts';

/** Reports whether the fault hits the next event, and counts it. */
export type ShouldHit = () => boolean;

const pass = (frame: EventFrame, delay = 0): Delivery => ({ frame, delay });

/** Creates an effect that replaces selected events, as often as the fault permits. */
const changing = (
  isMeant: (frame: EventFrame) => boolean,
  takes: ShouldHit,
  change: (frame: EventFrame) => readonly Delivery[],
): StreamEffect => ({
  deliveriesOf: (frame) => (isMeant(frame) && takes() ? change(frame) : [pass(frame)]),
});

const endingAfter = (events: number, ending: Ending, takes: ShouldHit): StreamEffect => {
  const seen = new WeakMap<object, number>();
  return {
    deliveriesOf(frame, watch) {
      if (!isChange(frame)) return [pass(frame)];
      const count = (seen.get(watch) ?? 0) + 1;
      seen.set(watch, count);
      return count === events && takes() ? [pass(frame), { ending, delay: 0 }] : [pass(frame)];
    },
  };
};

const simple: Readonly<Record<string, (takes: ShouldHit) => StreamEffect>> = {
  lose: (takes) => changing(isChange, takes, () => []),
  duplicate: (takes) => changing(isChange, takes, (frame) => [pass(frame), pass(frame)]),
  'hide-bookmarks': (takes) =>
    changing(
      (frame) => frame.type === 'BOOKMARK' && !isInitialEnd(frame),
      takes,
      () => [],
    ),
  'hide-initial-end': (takes) => changing(isInitialEnd, takes, () => []),
};

function endingBy(life: Lifetime, ending: Ending, takes: ShouldHit): StreamEffect {
  if ('events' in life) return endingAfter(life.events, ending, takes);
  return { lifeOf: () => (takes() ? { ms: life.ms, ending } : undefined) };
}

/** Returns the stream effect of an action; undefined for other actions. */
export function streamEffectOf(action: WatchAction, takes: ShouldHit): StreamEffect | undefined {
  if (typeof action === 'string') return simple[action]?.(takes);
  if ('delay' in action)
    return changing(
      () => true,
      takes,
      (frame) => [pass(frame, action.delay)],
    );
  const [[ending, life] = []] = Object.entries(action) as [Ending, Lifetime][];
  return ending && life && endingBy(life, ending, takes);
}
