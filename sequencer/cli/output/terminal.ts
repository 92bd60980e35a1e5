/** Live display on a terminal. */

import type { Clock } from '../../../sdk/index.ts';
import type { Surface } from './frame.ts';

/** Output: `process.stdout`, or a test double. */
export interface TerminalOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
}

/** Output of permanent lines, with a live display below them on a terminal. */
export interface Terminal {
  /** True on a terminal, where the picture is redrawn. */
  readonly live: boolean;
  readonly surface: Surface;
  /** Prints permanent lines. */
  print(...lines: readonly string[]): void;
  /** Requests a redraw; requests are coalesced into a few drawings a second. */
  refresh(): void;
  /** Draws the final state and restores the cursor. Idempotent. */
  end(): void;
}

/** Options of {@link createTerminal}. */
export interface TerminalOptions {
  readonly sink: TerminalOutput;
  readonly clock: Clock;
  /** Enables colours, if the sink is a terminal. */
  readonly colour: boolean;
  /** Returns the picture as lines that fit the surface; called for each drawing. */
  readonly frame: (surface: Surface) => readonly string[];
}

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const eraseLine = '\x1b[K';
const eraseBelow = '\x1b[J';
const frameInterval = 100;

/** Creates the output: a live display on a terminal, plain lines elsewhere. */
export function createTerminal({ sink, clock, colour, frame }: TerminalOptions): Terminal {
  const live = sink.isTTY === true;
  let drawn = 0;
  let ended = false;
  let cancel: (() => void) | undefined;

  // A terminal that does not know its size says 0.
  const surface = (): Surface => ({ columns: sink.columns || 80, rows: sink.rows || 24, colour: live && colour });
  const toTop = (): string => (drawn === 0 ? '' : `\x1b[${drawn}F`);

  const draw = (above: readonly string[] = []): void => {
    const lines = frame(surface());
    const text = [...above, ...lines].map((line) => `${line}${eraseLine}\n`).join('');
    sink.write(`${hideCursor}${toTop()}${text}${eraseBelow}`);
    drawn = lines.length;
  };
  const tick = (): void => {
    draw();
    cancel = clock.after(frameInterval, tick);
  };

  return {
    live,
    get surface() {
      return surface();
    },
    print(...lines) {
      if (live && drawn > 0 && !ended) draw(lines);
      else sink.write(lines.map((line) => `${line}\n`).join(''));
    },
    refresh() {
      if (live && !ended) cancel ??= clock.after(0, tick);
    },
    end() {
      if (ended) return;
      cancel?.();
      if (drawn > 0) {
        draw();
        sink.write(showCursor);
      }
      ended = true;
    },
  };
}
