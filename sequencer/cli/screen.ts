import type { Clock } from '../../sdk/index.ts';
import type { Surface } from './view.ts';

/** What is written to: `process.stdout`, or a stand-in. */
export interface Sink {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
}

/** A place where lines are printed one after the other and, on a terminal, a picture below them is kept up to date. */
export interface Screen {
  /** Whether a picture can be kept up to date. */
  readonly live: boolean;
  readonly surface: Surface;
  /** Prints lines that stay. */
  print(...lines: readonly string[]): void;
  /** Asks for the picture to be drawn soon: any number of calls, a few drawings a second. */
  refresh(): void;
  /** Draws a last time and leaves the picture where it is; the cursor is back. Safe to call twice. */
  end(): void;
}

/** What a screen needs from outside. */
export interface ScreenOptions {
  readonly sink: Sink;
  readonly clock: Clock;
  /** Colours, where the sink is a terminal. */
  readonly colour: boolean;
  /** The picture, as lines that fit the surface; called when it is drawn. */
  readonly picture: (surface: Surface) => readonly string[];
}

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const eraseLine = '\x1b[K';
const eraseBelow = '\x1b[J';
const frameInterval = 100;

/** Draws on a terminal, or only prints where there is none. */
export function createScreen({ sink, clock, colour, picture }: ScreenOptions): Screen {
  const live = sink.isTTY === true;
  let drawn = 0;
  let ended = false;
  let cancel: (() => void) | undefined;

  const surface = (): Surface => ({ columns: sink.columns ?? 80, rows: sink.rows ?? 24, colour: live && colour });
  const toTop = (): string => (drawn === 0 ? '' : `\x1b[${drawn}F`);

  const draw = (above: readonly string[] = []): void => {
    const lines = picture(surface());
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
