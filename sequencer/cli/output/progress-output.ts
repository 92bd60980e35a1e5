/** Shows the progress of a run. */

import type { Clock } from '../../../sdk/index.ts';
import type { FollowedWorkspaces } from './follow.ts';
import { plainEvent, plainLine, renderFrame } from './frame.ts';
import type { ConditionLine, Progress, ProgressEvent } from './progress.ts';
import { createTerminal, type Terminal, type TerminalOutput } from './terminal.ts';

/** Output of a run. */
export interface ProgressOutput extends Disposable {
  /** Prints permanent lines. */
  say(...lines: readonly string[]): void;
  /** Sets the current activity. */
  headline(text: string): void;
  /** Sets the workspaces to show. */
  watch(following: FollowedWorkspaces): void;
  /** Records a change; the first one starts the clock. */
  update(news: { readonly lines: readonly ConditionLine[]; readonly event?: ProgressEvent }): void;
}

/** Options of {@link createProgressOutput}. */
export interface ProgressOutputOptions {
  readonly sink: TerminalOutput;
  readonly clock: Clock;
  readonly colour: boolean;
}

/** Output of progress: a live display on a terminal, one line per change elsewhere. */
export function createProgressOutput({ sink, clock, colour }: ProgressOutputOptions): ProgressOutput {
  let start: number | undefined;
  let headline = '';
  let following: FollowedWorkspaces | undefined;

  const frame = (surface: Terminal['surface']) => {
    const progress: readonly Progress[] = following?.progress() ?? [];
    const now = clock.monotonic();
    return renderFrame({ headline, progress, events: following?.events() ?? [], now, start: start ?? now }, surface);
  };
  const terminal = createTerminal({ sink, clock, colour, frame });

  return {
    say: terminal.print,
    headline(text) {
      headline = text;
      if (terminal.live) terminal.refresh();
      else terminal.print(text);
    },
    watch(next) {
      following = next;
      terminal.refresh();
    },
    update({ lines, event }) {
      const now = clock.monotonic();
      start ??= now;
      const from = start;
      if (terminal.live) return terminal.refresh();
      const printed = lines.filter(({ reason }) => reason !== '').map((line) => plainLine(line, now - from));
      terminal.print(...printed, ...(event ? [plainEvent(event, from)] : []));
    },
    [Symbol.dispose]: terminal.end,
  };
}
