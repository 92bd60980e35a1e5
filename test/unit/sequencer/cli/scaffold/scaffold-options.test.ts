import test from 'ava';
import { withoutQuestions } from '../../../../../sequencer/cli/scaffold/prompts.ts';
import { askerFor } from '../../../../../sequencer/cli/scaffold/scaffold-options.ts';

test('nothing is asked with --yes', (t) => {
  t.is(askerFor({ values: {}, lists: {}, operands: [], flags: new Set(['yes']) }), withoutQuestions);
});
