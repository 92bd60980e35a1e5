import test from 'ava';
import { UserError } from '../../../../../sdk/index.ts';
import { labelSelectorFrom } from '../../../../../sequencer/cli/args/selector.ts';

test('a selector that can be read is kept as it is', (t) => {
  for (const text of [undefined, '', 'team=a', 'tier in (gold, silver),!old'])
    t.is(labelSelectorFrom('run', text), text);
});

test('one that cannot is refused with the part that is wrong', (t) => {
  const error = t.throws(() => labelSelectorFrom('manifests', 'team=a,tier in (gold'), { instanceOf: UserError });
  t.is(error.code, 'E#2001');
  t.is(
    error.message,
    'sequencer manifests: --selector needs labels, such as team=a or tier in (gold, silver); found "tier in (gold"',
  );
});
