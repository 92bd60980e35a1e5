import test from 'ava';
import { runToEnd } from '../a-terminal.ts';

test('a code is explained, however it is written', async (t) => {
  const { code, stdout } = await runToEnd(['explain', 'E#2003']);
  t.is(code, 0);
  t.regex(
    stdout,
    /^E#2003\n\n {2}A file is not YAML, or .*\.\n\nWhat to do\n {2}The message says file, line and, for a syntax error, column\. /,
  );
  for (const text of ['2003', 'e2003', 'E2003', '#2003']) t.is((await runToEnd(['explain', text])).stdout, stdout);
});

test('several codes are explained one after the other', async (t) => {
  const { stdout } = await runToEnd(['explain', '2001', '3001']);
  t.regex(stdout, /^E#2001\n[\s\S]*\n\nE#3001\n/);
});

test('without a code all are listed, each in a line of the terminal', async (t) => {
  const lines = (await runToEnd(['explain'])).stdout.trimEnd().split('\n');
  t.true(lines.length >= 40);
  for (const line of lines) t.regex(line, /^E#\d{4} {2}.{10,93}$/);
});

test('an unknown code is reported with a near one', async (t) => {
  t.deepEqual(await runToEnd(['explain', 'E#9001']), {
    code: 1,
    stdout: '',
    stderr:
      'error E#2001: sequencer explain: unknown code "E#9001"\n  did you mean E#1001? `sequencer explain` lists all codes\n',
  });
  t.regex(
    (await runToEnd(['explain', 'what'])).stderr,
    /unknown code "what"\n {2}`sequencer explain` lists all codes\n$/,
  );
});
