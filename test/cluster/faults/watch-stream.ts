/** Delivers the events of a watch through effects, delays and holds. */

import type { Clock } from '../../../sdk/clock.ts';
import type { Attributes } from '../requests/attributes.ts';
import type { ApiRequest, Sink } from '../requests/message.ts';
import type { EventFrame, Framing } from '../requests/watch-framing.ts';
import { breakConnection, statusOf } from './request-effects.ts';
import type { Matches } from './request-matcher.ts';
import type { Ending } from './spec.ts';

/** Event or end to deliver, with its delay in ms. */
export type Delivery =
  | { readonly frame: EventFrame; readonly delay: number }
  | { readonly ending: Ending; readonly delay: number };

/** Effect on the events of a watch. */
export interface StreamEffect {
  /** Returns the deliveries of an event. `watch` identifies the watch. */
  deliveriesOf?(frame: EventFrame, watch: object): readonly Delivery[];
  /** Returns the time and kind of the watch's end, if it is limited. */
  lifeOf?(): { readonly ms: number; readonly ending: Ending } | undefined;
}

/** Open watch. */
export interface OpenWatch {
  readonly attributes: Attributes;
  readonly request: ApiRequest;
  readonly sink: Sink;
  readonly framing: Framing;
  /** Delayed deliveries, in order. */
  readonly queue: { readonly at: number; readonly delivery: Delivery }[];
  /** Held deliveries; undefined without a hold. */
  held: Delivery[] | undefined;
}

const expired = statusOf({ code: 410, message: 'too old resource version: a fault was injected' });

/** Ends a watch, by kind of end. */
export const endings: Readonly<Record<Ending, (watch: Pick<OpenWatch, 'sink' | 'framing'>) => void>> = {
  drop: ({ sink }) => breakConnection(sink, 'closed'),
  expire: ({ sink, framing }) => {
    sink.write(framing.errorFrame(expired));
    sink.end();
  },
  end: ({ sink }) => sink.end(),
};

function deliver(watch: OpenWatch, delivery: Delivery): void {
  if ('frame' in delivery) watch.sink.write(delivery.frame.bytes);
  else endings[delivery.ending](watch);
}

function deliverOrHold(watch: OpenWatch, delivery: Delivery): void {
  if (watch.held === undefined) deliver(watch, delivery);
  else watch.held.push(delivery);
}

function emitDue(watch: OpenWatch, now: number): void {
  while (watch.queue.length > 0 && watch.queue[0]!.at <= now) deliverOrHold(watch, watch.queue.shift()!.delivery);
}

/** Schedules a delivery, never before earlier ones. */
function send(watch: OpenWatch, delivery: Delivery, clock: Clock): void {
  const last = watch.queue.at(-1)?.at ?? 0;
  if (delivery.delay === 0 && watch.queue.length === 0) {
    deliverOrHold(watch, delivery);
    return;
  }
  const now = clock.monotonic();
  const at = Math.max(last, now + delivery.delay);
  watch.queue.push({ at, delivery });
  clock.after(at - now, () => emitDue(watch, at));
}

/** Passes an event through the effects in turn. */
const deliveriesOf = (frame: EventFrame, effects: readonly StreamEffect[], watch: OpenWatch): readonly Delivery[] =>
  effects.reduce<readonly Delivery[]>(
    (deliveries, effect) =>
      deliveries.flatMap((delivery) => {
        if (!('frame' in delivery) || effect.deliveriesOf === undefined) return [delivery];
        return effect
          .deliveriesOf(delivery.frame, watch)
          .map((next) => ({ ...next, delay: next.delay + delivery.delay }));
      }),
    [{ frame, delay: 0 }],
  );

/** Effects, with the watches they apply to. */
export type StreamEffects = ReadonlyMap<StreamEffect, Matches>;

/** Returns the effects on a watch. */
export const effectsOn = ({ attributes, request }: OpenWatch, imposed: StreamEffects): StreamEffect[] =>
  [...imposed].filter(([, matches]) => matches(attributes, request)).map(([effect]) => effect);

/** Creates the sink that the server writes to. */
export const sinkOf = (watch: OpenWatch, imposed: StreamEffects, clock: Clock): Sink => ({
  write(chunk) {
    const isPlain = imposed.size === 0 && watch.held === undefined && watch.queue.length === 0;
    if (isPlain) return watch.sink.write(chunk);
    const effects = effectsOn(watch, imposed);
    for (const frame of watch.framing.framesOf(chunk)) {
      for (const delivery of deliveriesOf(frame, effects, watch)) send(watch, delivery, clock);
    }
  },
  end: () => send(watch, { ending: 'end', delay: 0 }, clock),
});

/** Schedules the end of a watch if an effect limits its life; returns a function that cancels it. */
export function scheduleEnd(watch: OpenWatch, effects: readonly StreamEffect[], clock: Clock): () => void {
  const cancels = effects.flatMap((effect) => {
    const life = effect.lifeOf?.();
    return life === undefined ? [] : [clock.after(life.ms, () => endings[life.ending](watch))];
  });
  return () => {
    for (const cancel of cancels) cancel();
  };
}

/** Delivers held events: the next `count`, or all. */
export const releaseHeld = (watch: OpenWatch, count: number): void => {
  for (const delivery of watch.held?.splice(0, count) ?? []) deliver(watch, delivery);
};
