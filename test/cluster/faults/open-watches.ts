/** Tracks open watches, to end or delay them. */

import type { Clock } from '../../../sdk/clock.ts';
import { attributesOf } from '../requests/attributes.ts';
import type { ApiRequest, ApiResponse, Sink } from '../requests/message.ts';
import type { Matches } from './request-matcher.ts';
import type { Ending } from './spec.ts';
import {
  effectsOn,
  endings,
  type OpenWatch,
  releaseHeld,
  type StreamEffect,
  scheduleEnd,
  sinkOf,
} from './watch-stream.ts';

/** Handle of held events. */
export interface Hold {
  /** Delivers the next `count` events; without a count all of them, and ends the hold. */
  release(count?: number): void;
}

/** Open watches of a cluster. */
export interface OpenWatches {
  /** Number of open watches. */
  readonly count: number;
  /** Tracks the stream of an answer, if it is a watch. */
  follow(request: ApiRequest, response: ApiResponse): ApiResponse;
  /** Ends matching watches; returns their number. */
  end(matches: Matches, ending: Ending): number;
  /** Holds back the events of matching watches, current and future. */
  hold(matches: Matches): Hold;
  /** Applies an effect to matching watches, current and future. Returns a function that removes it. */
  applyEffect(matches: Matches, effect: StreamEffect): () => void;
}

function endHold(watch: OpenWatch): void {
  releaseHeld(watch, Number.POSITIVE_INFINITY);
  watch.held = undefined;
}

/** Creates the tracker of open watches; delays pass on `clock`. */
export function createOpenWatches(clock: Clock): OpenWatches {
  const open = new Set<OpenWatch>();
  const holds = new Set<Matches>();
  const imposed = new Map<StreamEffect, Matches>();
  const matching = (matches: Matches) => [...open].filter(({ attributes, request }) => matches(attributes, request));
  const isHeld = ({ attributes, request }: OpenWatch): boolean =>
    [...holds].some((matches) => matches(attributes, request));

  const follow = (request: ApiRequest, response: ApiResponse): ApiResponse => {
    const { stream, framing } = response;
    const attributes = stream && attributesOf(request.method, request.url);
    if (stream === undefined || framing === undefined || attributes?.verb !== 'watch') return response;
    const start = (sink: Sink) => {
      const watch: OpenWatch = { attributes, request, sink, framing, queue: [], held: undefined };
      if (isHeld(watch)) watch.held = [];
      open.add(watch);
      const cancel = scheduleEnd(watch, effectsOn(watch, imposed), clock);
      const stop = stream(sinkOf(watch, imposed, clock));
      return () => {
        open.delete(watch);
        watch.queue.length = 0;
        cancel();
        stop();
      };
    };
    return { ...response, stream: start };
  };

  const hold = (matches: Matches): Hold => {
    holds.add(matches);
    for (const watch of matching(matches)) watch.held ??= [];
    return {
      release(count) {
        if (count !== undefined) {
          for (const watch of matching(matches)) releaseHeld(watch, count);
          return;
        }
        holds.delete(matches);
        for (const watch of matching(matches)) if (!isHeld(watch)) endHold(watch);
      },
    };
  };

  return {
    get count() {
      return open.size;
    },
    follow,
    hold,
    end(matches, ending) {
      const watches = matching(matches);
      for (const watch of watches) endings[ending](watch);
      return watches.length;
    },
    applyEffect(matches, effect) {
      imposed.set(effect, matches);
      return () => imposed.delete(effect);
    },
  };
}
