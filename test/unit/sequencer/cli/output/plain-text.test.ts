import test from 'ava';
import { DefiniteError } from '../../../../../sdk/index.ts';
import { oneLine, plainText } from '../../../../../sequencer/cli/output/plain-text.ts';
import { planTable } from '../../../../../sequencer/cli/output/plan-table.ts';
import { reportOf } from '../../../../../sequencer/cli/output/report.ts';

const evil = 'a\u001b]0;owned\u0007\u001b[2J\u009b31m\nerror E#1: \u202efake';

test('texts of others cannot steer a terminal, or pass for a line of ours', (t) => {
  t.is(oneLine(evil), 'a ]0;owned [2J 31m error E#1: fake');
  t.is(plainText(evil), 'a]0;owned[2J31m\nerror E#1: fake');
});

test('plans and errors show them so', (t) => {
  const row = { workspace: 'default/shop', integration: 'dns', condition: 'DNS', policy: 'manage' } as const;
  const shown = [
    ...planTable([{ ...row, action: 'unknown', what: evil, heldBack: false }]),
    ...reportOf(new DefiniteError(evil), true),
  ].join('\n');
  t.notRegex(shown, /[^\P{Cc}\n]|\u202e/u);
});
