import { type Attributes, attributesOf } from '../http/attributes.ts';
import type { ApiRequest, ApiResponse, Sink } from '../http/message.ts';
import { breakOff, statusOf } from './effects.ts';
import type { Matches } from './target.ts';

/** One open watch. */
interface OpenWatch {
  readonly attributes: Attributes;
  readonly request: ApiRequest;
  readonly sink: Sink;
  /** What has been kept back; undefined while nothing is. */
  held: Uint8Array[] | undefined;
  /** The server has ended it while it was held. */
  isEnded: boolean;
}

/** Keeps events back until released. */
export interface Hold {
  /** Lets the next events through; all of them, and everything after, when not told how many. */
  release(count?: number): void;
}

/** The watches that are open on a cluster. */
export interface OpenWatches {
  /** An answer whose stream is in view from its start. */
  follow(request: ApiRequest, response: ApiResponse): ApiResponse;
  /** Breaks the connections of those meant; tells how many. */
  drop(matches: Matches): number;
  /** Ends those meant with the event that tells that their version is too old; tells how many. */
  expire(matches: Matches): number;
  /** Keeps back what those meant would get, those that are open and those to come. */
  hold(matches: Matches): Hold;
}

const expired = (): Buffer => {
  const object = statusOf({ code: 410, message: 'too old resource version: a fault was injected' });
  return Buffer.from(`${JSON.stringify({ type: 'ERROR', object })}\n`);
};

function letOut(watch: OpenWatch, count: number): void {
  for (const chunk of watch.held?.splice(0, count) ?? []) watch.sink.write(chunk);
}

function letGo(watch: OpenWatch): void {
  letOut(watch, Number.POSITIVE_INFINITY);
  watch.held = undefined;
  if (watch.isEnded) watch.sink.end();
}

/** The sink that the server writes to: what is held does not reach the reader. */
const sinkOf = (watch: OpenWatch): Sink => ({
  write: (chunk) => (watch.held === undefined ? watch.sink.write(chunk) : void watch.held.push(chunk)),
  end: () => {
    watch.isEnded = true;
    if (watch.held === undefined) watch.sink.end();
  },
});

/** Keeps sight of open watches. */
export function createOpenWatches(): OpenWatches {
  const open = new Set<OpenWatch>();
  const holds = new Set<Matches>();
  const meant = (matches: Matches): OpenWatch[] =>
    [...open].filter(({ attributes, request }) => matches(attributes, request));
  const isHeld = ({ attributes, request }: OpenWatch): boolean =>
    [...holds].some((matches) => matches(attributes, request));
  const each = (matches: Matches, act: (watch: OpenWatch) => void): number => {
    const watches = meant(matches);
    for (const watch of watches) act(watch);
    return watches.length;
  };
  return {
    follow(request, response) {
      const { stream } = response;
      const attributes = attributesOf(request.method, request.url);
      if (stream === undefined || attributes.verb !== 'watch') return response;
      const start = (sink: Sink) => {
        const watch: OpenWatch = { attributes, request, sink, held: undefined, isEnded: false };
        if (isHeld(watch)) watch.held = [];
        open.add(watch);
        const stop = stream(sinkOf(watch));
        return () => {
          open.delete(watch);
          stop();
        };
      };
      return { ...response, stream: start };
    },
    drop: (matches) => each(matches, ({ sink }) => breakOff(sink, 'closed')),
    expire: (matches) =>
      each(matches, ({ sink }) => {
        sink.write(expired());
        sink.end();
      }),
    hold(matches) {
      holds.add(matches);
      each(matches, (watch) => {
        watch.held ??= [];
      });
      return {
        release(count) {
          if (count !== undefined) {
            each(matches, (watch) => letOut(watch, count));
            return;
          }
          holds.delete(matches);
          for (const watch of meant(matches)) if (!isHeld(watch)) letGo(watch);
        },
      };
    },
  };
}
