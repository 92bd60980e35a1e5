import test from 'ava';
import type { ConditionLine } from '../../../../../sequencer/cli/output/progress.ts';
import { createProgressOutput } from '../../../../../sequencer/cli/output/progress-output.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

const line: ConditionLine = {
  workspace: 'default/shop',
  condition: 'DNS',
  status: 'Completed',
  reason: 'published',
  since: 0,
  until: 1500,
};
const event = {
  at: 2000,
  workspace: 'default/shop',
  type: 'Normal',
  reason: 'DNSCompleted',
  message: 'published',
} as const;
const following = {
  progress: () => [{ key: 'default/shop', state: 'moving' as const, lines: [line] }],
  events: () => [event],
  until: () => Promise.resolve(),
};

function aShow(isTTY: boolean) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const clock = createManualClock();
  return {
    clock,
    show: createProgressOutput({ sink: { isTTY, columns: 80, rows: 24, write }, clock, colour: false }),
    written: () => written,
  };
}

test('without a terminal: headlines, changes and events are lines, timed from the first', async (t) => {
  const { clock, show, written } = aShow(false);
  show.say('about');
  show.headline('Walking');
  show.watch(following);
  show.update({ lines: [{ ...line, condition: 'Ready', reason: '' }] });
  await clock.advance(1500);
  show.update({ lines: [line] });
  show.update({ lines: [], event });
  show[Symbol.dispose]();
  t.is(
    written(),
    [
      'about',
      'Walking',
      '   1.5s  default/shop  DNS         Completed    published',
      '   2.0s  default/shop  event: DNSCompleted: published',
      '',
    ].join('\n'),
  );
});

test('on a terminal: one picture of it all', async (t) => {
  const { clock, show, written } = aShow(true);
  show.headline('Walking');
  show.watch(following);
  show.update({ lines: [line], event });
  await clock.advance(50);
  t.is(written().split('Walking').length - 1, 1);
  t.regex(written(), /DNS +✔ Completed/);
  show[Symbol.dispose]();
  t.true(written().endsWith('\x1b[?25h'));
});
