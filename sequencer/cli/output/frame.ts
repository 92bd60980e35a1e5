/** Renders progress as text. */

import { styleText } from 'node:util';
import { oneLine } from './plain-text.ts';
import type { ConditionLine, Progress, ProgressEvent } from './progress.ts';

/** State to render. */
export interface View {
  /** Current activity in a few words. */
  readonly headline: string;
  readonly progress: readonly Progress[];
  /** Oldest first. */
  readonly events: readonly ProgressEvent[];
  /** Monotonic ms of the shown state. */
  readonly now: number;
  /** Monotonic ms from which events are timed. */
  readonly start: number;
}

/** Size and colours of the output. */
export interface Surface {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

type Colour = 'green' | 'yellow' | 'red' | 'gray' | 'magenta' | 'bold' | 'dim';

/** Marks and colours of statuses; marks are distinct without colour. A status not listed is in progress. */
const styles: Readonly<Record<string, readonly [mark: string, colour: Colour]>> = {
  Completed: ['✔', 'green'],
  Healthy: ['✔', 'green'],
  True: ['✔', 'green'],
  Initialized: ['·', 'gray'],
  False: ['·', 'gray'],
  Waiting: ['·', 'gray'],
  Terminated: ['−', 'gray'],
  Gone: ['−', 'gray'],
  Error: ['✘', 'red'],
  'Not Healthy': ['✘', 'red'],
  Unknown: ['?', 'magenta'],
};

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameTime = 100;

const styleOf = (status: string, now: number): readonly [string, Colour] =>
  Object.hasOwn(styles, status) ? styles[status]! : [spinner[Math.floor(now / frameTime) % spinner.length]!, 'yellow'];

const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;

/** Formats ms: `0.4s`, `12.3s`, `4m07s`, `1h02m`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) return `${(Math.floor(seconds * 10) / 10).toFixed(1)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(Math.floor(seconds % 60)).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}

interface Widths {
  readonly workspace: number;
  readonly condition: number;
  readonly status: number;
}

const statusWidth = 'Not Healthy'.length;
const elapsedWidth = 7;
const longest = (texts: readonly string[], least: number, most: number): number =>
  Math.min(most, Math.max(least, ...texts.map((text) => text.length)));

const widthsOf = (lines: readonly ConditionLine[], columns: number): Widths => ({
  workspace: longest(
    lines.map(({ workspace }) => workspace),
    'WORKSPACE'.length,
    Math.floor(columns / 4),
  ),
  condition: longest(
    lines.map(({ condition }) => condition),
    'CONDITION'.length,
    24,
  ),
  status: statusWidth,
});

interface LineStyle extends Surface {
  readonly widths: Widths;
  readonly now: number;
}

const paint = (colour: Colour, text: string, surface: Surface): string =>
  surface.colour && text !== '' ? styleText(colour, text, { validateStream: false }) : text;

/** Formats one condition: workspace (only if it differs from the line above), condition, status, elapsed time, reason. */
function lineText(line: ConditionLine, above: ConditionLine | undefined, lineStyle: LineStyle): string {
  const { widths, now, columns } = lineStyle;
  const workspace = above?.workspace === line.workspace ? '' : line.workspace;
  const [mark, colour] = styleOf(line.status, now);
  const left = `${cut(workspace, widths.workspace).padEnd(widths.workspace)}  ${cut(line.condition, widths.condition).padEnd(widths.condition)}`;
  const elapsed = durationText((line.until ?? now) - line.since).padStart(elapsedWidth);
  const used = left.length + widths.status + elapsedWidth + 12;
  return [
    `  ${left}`,
    paint(colour, `${mark} ${line.status.padEnd(widths.status)}`, lineStyle),
    paint('dim', elapsed, lineStyle),
    cut(oneLine(line.reason), columns - used),
  ]
    .join('  ')
    .trimEnd();
}

const header = ({ widths, ...surface }: LineStyle): string =>
  paint(
    'dim',
    cut(
      `  ${'WORKSPACE'.padEnd(widths.workspace)}  ${'CONDITION'.padEnd(widths.condition)}    ${'STATUS'.padEnd(widths.status)}  ${'ELAPSED'.padStart(elapsedWidth)}  REASON`,
      surface.columns - 1,
    ),
    surface,
  );

/** Priority when not all workspaces fit: errors first, then those in progress, then settled ones. */
const urgency: Readonly<Record<Progress['state'], number>> = { error: 0, moving: 1, deleting: 1, ready: 2, gone: 3 };

function visible(progress: readonly Progress[], maxLines: number): readonly Progress[] {
  const count = (all: readonly Progress[]) => all.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count(progress) <= maxLines) return progress;
  const shown: Progress[] = [];
  for (const one of progress.toSorted((a, b) => urgency[a.state] - urgency[b.state]))
    if (count([...shown, one]) <= maxLines - 1) shown.push(one);
  return shown;
}

/** Formats the number of hidden workspaces: `12 more: 3 moving, 9 ready`. */
function remainder(progress: readonly Progress[], shown: readonly Progress[]): string | undefined {
  const hidden = progress.filter((one) => !shown.includes(one));
  if (hidden.length === 0) return undefined;
  const counts = [...Map.groupBy(hidden, ({ state }) => state)].map(([state, all]) => `${all.length} ${state}`);
  return `  ${hidden.length} more: ${counts.join(', ')}`;
}

/** Formats one event as a line. Any user who may create events can write the name in it, its reason and its message. */
function eventText({ at, workspace, type, reason, message }: ProgressEvent, start: number, surface: Surface): string {
  const time = durationText(at - start).padStart(elapsedWidth);
  const rest = cut(`${oneLine(workspace)}  ${oneLine(`${reason}: ${message}`)}`, surface.columns - elapsedWidth - 6);
  return `  ${paint('dim', time, surface)}  ${paint(type === 'Warning' ? 'yellow' : 'dim', rest, surface)}`;
}

const maxEvents = 8;

/** Renders a picture that fits the surface: a headline, one line per condition, the latest events. */
export function renderFrame(view: View, surface: Surface): readonly string[] {
  const maxLines = Math.max(4, surface.rows - 4);
  const shown = visible(view.progress, Math.max(3, maxLines - Math.min(maxEvents, view.events.length, 4) - 1));
  const lines = shown.flatMap((one) => one.lines);
  const painting = { ...surface, widths: widthsOf(lines, surface.columns), now: view.now };
  const more = remainder(view.progress, shown);
  const table = lines.map((line, index) => lineText(line, lines[index - 1], painting));
  const left = maxLines - table.length - 1;
  const events = left < 1 ? [] : view.events.slice(-Math.min(maxEvents, left));
  return [
    paint('bold', cut(view.headline, surface.columns - 1), surface),
    header(painting),
    ...table,
    ...(more === undefined ? [] : [paint('dim', more, surface)]),
    ...(events.length === 0 ? [] : ['', ...events.map((event) => eventText(event, view.start, surface))]),
  ];
}

/** Formats a condition as a line for output that is not redrawn; `elapsed` ms after the start. */
export function plainLine({ workspace, condition, status, reason }: ConditionLine, elapsed: number): string {
  const time = durationText(elapsed).padStart(elapsedWidth);
  return `${time}  ${workspace}  ${condition.padEnd(10)}  ${status.padEnd(statusWidth)}  ${oneLine(reason)}`.trimEnd();
}

/** Formats an event as a line for output that is not redrawn. */
export const plainEvent = ({ at, workspace, type, reason, message }: ProgressEvent, start: number): string =>
  `${durationText(at - start).padStart(elapsedWidth)}  ${oneLine(workspace)}  ${type === 'Warning' ? 'warning' : 'event'}: ${oneLine(`${reason}: ${message}`)}`;
