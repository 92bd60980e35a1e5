import test from 'ava';
import { createTerminal } from '../../../../../sequencer/cli/output/terminal.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

const written = /␛\[(\d+)F|(␛\[K|␛\[J|␛\[\?25[lh]|\n)|([^␛\n]+)/g;

/** Content of a terminal after this output; interprets only what a screen sends. */
function shown(text: string): readonly string[] {
  const lines = [''];
  let row = 0;
  for (const [, up, code, words] of text.replaceAll('\x1b', '␛').matchAll(written)) {
    if (up !== undefined) row -= Number(up);
    else if (code === '\n') row += 1;
    else if (code === '␛[J') lines.length = row;
    else if (words !== undefined) lines[row] = words;
    lines[row] ??= '';
  }
  return lines.slice(0, -1);
}

function aTerminal(isTTY: boolean) {
  let written = '';
  let lines: readonly string[] = ['one', 'two'];
  const clock = createManualClock();
  const write = (text: string) => {
    written += text;
  };
  const sink = { isTTY, columns: 80, rows: 24, write };
  const screen = createTerminal({ sink, clock, colour: true, frame: () => lines });
  const show = (...next: readonly string[]) => {
    lines = next;
  };
  return { clock, screen, written: () => written, show };
}

test('the picture is drawn over the last one, lines that stay above it', async (t) => {
  const { clock, screen, written, show } = aTerminal(true);
  screen.print('before');
  screen.refresh();
  await clock.advance(1);
  t.deepEqual(shown(written()), ['before', 'one', 'two']);
  show('uno', 'dos', 'tres');
  await clock.advance(100);
  t.deepEqual(shown(written()), ['before', 'uno', 'dos', 'tres']);
  show('solo');
  screen.print('note');
  t.deepEqual(shown(written()), ['before', 'note', 'solo']);
});

test('many refreshes are one drawing', async (t) => {
  const { clock, screen, written } = aTerminal(true);
  for (let n = 0; n < 100; n += 1) screen.refresh();
  await clock.advance(50);
  t.is(written().split('one').length - 1, 1);
});

test('the end draws a last time, gives the cursor back and stops', async (t) => {
  const { clock, screen, written, show } = aTerminal(true);
  screen.refresh();
  await clock.advance(1);
  show('last');
  screen.end();
  screen.end();
  t.deepEqual(shown(written()), ['last']);
  t.true(written().endsWith('\x1b[?25h'));
  t.is(clock.pending, 0);
});

test('where there is no terminal, lines are printed and nothing else', async (t) => {
  const { clock, screen, written } = aTerminal(false);
  screen.refresh();
  screen.print('a', 'b');
  await clock.advance(1000);
  screen.end();
  t.is(written(), 'a\nb\n');
  t.false(screen.surface.colour);
});

test('a terminal that does not know its size, and says 0, is taken for one of 80 by 24', async (t) => {
  const sizes: unknown[] = [];
  const frame = (surface: { readonly columns: number; readonly rows: number }) => {
    sizes.push([surface.columns, surface.rows]);
    return ['one'];
  };
  const sink = { isTTY: true, columns: 0, rows: 0, write: () => true };
  const clock = createManualClock();
  createTerminal({ sink, clock, colour: false, frame }).refresh();
  await clock.advance(1000);
  t.deepEqual(sizes[0], [80, 24]);
});
