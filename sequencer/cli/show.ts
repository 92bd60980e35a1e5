/** Shows the progress of a run. */

import type { Clock } from '../../sdk/index.ts';
import type { Following } from './follow.ts';
import type { Happening, Line, Progress } from './progress.ts';
import { createScreen, type Screen, type Sink } from './screen.ts';
import { frame, plainEvent, plainLine } from './view.ts';

/** Output of a run. */
export interface Show extends Disposable {
  /** Prints permanent lines. */
  say(...lines: readonly string[]): void;
  /** Sets the current activity. */
  headline(text: string): void;
  /** Sets the workspaces to show. */
  watch(following: Following): void;
  /** Notes a change; the first one starts the clock. */
  news(news: { readonly lines: readonly Line[]; readonly event?: Happening }): void;
}

/** Options of {@link createShow}. */
export interface ShowOptions {
  readonly sink: Sink;
  readonly clock: Clock;
  readonly colour: boolean;
}

/** Shows progress: a live picture on a terminal, one line per change elsewhere. */
export function createShow({ sink, clock, colour }: ShowOptions): Show {
  let start: number | undefined;
  let headline = '';
  let following: Following | undefined;

  const picture = (surface: Screen['surface']) => {
    const progress: readonly Progress[] = following?.progress() ?? [];
    const now = clock.monotonic();
    return frame({ headline, progress, events: following?.events() ?? [], now, start: start ?? now }, surface);
  };
  const screen = createScreen({ sink, clock, colour, picture });

  return {
    say: screen.print,
    headline(text) {
      headline = text;
      if (screen.live) screen.refresh();
      else screen.print(text);
    },
    watch(next) {
      following = next;
      screen.refresh();
    },
    news({ lines, event }) {
      const now = clock.monotonic();
      start ??= now;
      const from = start;
      if (screen.live) return screen.refresh();
      const told = lines.filter(({ reason }) => reason !== '').map((line) => plainLine(line, now - from));
      screen.print(...told, ...(event ? [plainEvent(event, from)] : []));
    },
    [Symbol.dispose]: screen.end,
  };
}
