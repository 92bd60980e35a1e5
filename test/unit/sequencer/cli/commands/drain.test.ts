import test from 'ava';
import { runToEnd } from '../a-terminal.ts';

test('a time that is none is refused before anything is deleted', async (t) => {
  const { code, stderr } = await runToEnd(['drain', '--timeout', 'soon']);
  t.is(code, 1);
  t.regex(stderr, /E#2001: sequencer drain: --timeout/);
});
