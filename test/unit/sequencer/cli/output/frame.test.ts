import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import {
  durationText,
  plainEvent,
  plainLine,
  renderFrame,
  type View,
} from '../../../../../sequencer/cli/output/frame.ts';
import type { ConditionLine, Progress } from '../../../../../sequencer/cli/output/progress.ts';

const aLine = (condition: string, status: string, more: Partial<ConditionLine> = {}): ConditionLine => ({
  workspace: 'default/shop',
  condition,
  status,
  reason: `${condition} says so`,
  since: 0,
  until: undefined,
  ...more,
});
const aProgress = (name: string, standing: Progress['state'], ...lines: readonly ConditionLine[]): Progress => ({
  key: `default/${name}`,
  state: standing,
  lines: lines.map((line) => ({ ...line, workspace: `default/${name}` })),
});
const shop = aProgress(
  'shop',
  'moving',
  aLine('Components', 'Completed', { until: 1200 }),
  aLine('DNS', 'In Progress'),
  aLine('Ready', 'False'),
);
const event = {
  at: 900,
  workspace: 'default/shop',
  type: 'Warning',
  reason: 'Slow',
  message: 'takes\nits time',
} as const;
const view: View = { headline: 'Walking', progress: [shop], events: [event], now: 3400, start: 0 };
const plain = { columns: 80, rows: 24, colour: false };

test('one aligned line per condition, the workspace named once, then the events', (t) => {
  t.deepEqual(renderFrame(view, plain), [
    'Walking',
    '  WORKSPACE     CONDITION     STATUS       ELAPSED  REASON',
    '  default/shop  Components  ✔ Completed       1.2s  Components says so',
    '                DNS         ⠼ In Progress     3.4s  DNS says so',
    '                Ready       · False           3.4s  Ready says so',
    '',
    '     0.9s  default/shop  Slow: takes its time',
  ]);
});

test('a status named as a member of every object is one in progress', (t) => {
  const progress = [aProgress('shop', 'moving', aLine('DNS', 'constructor'))];
  t.regex(renderFrame({ ...view, progress }, plain)[2]!, /DNS +⠼ constructor/);
});

test('colours change nothing but the colour', (t) => {
  const coloured = renderFrame(view, { ...plain, colour: true });
  t.true(coloured[2]!.includes('\x1b[32m'), 'green when completed');
  t.deepEqual(
    coloured.map((line) => stripVTControlCharacters(line).trimEnd()),
    renderFrame(view, plain),
  );
});

test('no line is wider than the surface, however narrow', (t) => {
  const long = aProgress(
    'a-workspace-with-a-name-that-goes-on-and-on',
    'error',
    aLine('DNS', 'Error', { reason: 'no '.repeat(99) }),
  );
  for (const columns of [60, 80, 200])
    for (const line of renderFrame({ ...view, progress: [long, shop] }, { ...plain, columns }))
      t.true(line.length < columns, `${columns}: ${line}`);
});

test('no picture is higher than the surface: the most urgent workspaces are shown, the rest counted', (t) => {
  const many = Array.from({ length: 50 }, (_, n) =>
    aProgress(
      `w${n}`,
      n === 40 ? 'error' : 'ready',
      aLine('DNS', n === 40 ? 'Error' : 'Completed'),
      aLine('Ready', 'True'),
    ),
  );
  const lines = renderFrame({ ...view, progress: many }, plain);
  t.true(lines.length < plain.rows, `${lines.length} lines`);
  t.regex(lines[2]!, /default\/w40 +DNS +✘ Error/);
  t.true(
    lines.some((line) => /^ {2}\d+ more: \d+ ready$/.test(line)),
    lines.join('\n'),
  );
});

test('durations read well at every size', (t) => {
  t.deepEqual([0, 449, 59_949, 67_000, 3_720_000, -5].map(durationText), [
    '0.0s',
    '0.4s',
    '59.9s',
    '1m07s',
    '1h02m',
    '0.0s',
  ]);
});

test('without a terminal each change and each event is a line', (t) => {
  t.is(plainLine(shop.lines[1]!, 3400), '   3.4s  default/shop  DNS         In Progress  DNS says so');
  t.is(plainEvent(event, 0), '   0.9s  default/shop  warning: Slow: takes its time');
});

test('events that any user may create steer no terminal: by the name in them, the reason or the message', (t) => {
  const hostile = 'x\u001b[2J\ny\u009b1m';
  const forged = { ...event, workspace: `default/${hostile}`, reason: hostile, message: hostile };
  const safe = 'x [2J y 1m';
  t.is(plainEvent(forged, 0), `   0.9s  default/${safe}  warning: ${safe}: ${safe}`);
  const drawn = renderFrame({ ...view, progress: [shop], events: [forged] }, { ...plain, columns: 200 });
  for (const line of drawn) t.notRegex(line, /\p{Cc}/u);
});
