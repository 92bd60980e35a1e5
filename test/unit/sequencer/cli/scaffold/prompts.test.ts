import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { createAsker, mistakeInAnswer, withoutQuestions } from '../../../../../sequencer/cli/scaffold/prompts.ts';

const choices = { tag: 'by its tag', name: 'by its name' };
const prompt = { text: 'Which?', default: 'tag', choices };

/** A terminal on which these lines are typed, each when it is asked for. */
function aTerminal(...typed: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines = [...typed];
  output.on('data', (chunk) => {
    const line = String(chunk).endsWith(') ') ? lines.shift() : undefined;
    if (line !== undefined) input.write(line);
  });
  const all = text(output);
  const said = () => {
    output.end();
    return all;
  };
  return { asker: createAsker(input, output), end: () => input.end(), said };
}

test('an empty line takes the default, another one is the answer', async (t) => {
  const { asker, said } = aTerminal('\n', ' name \n');
  t.is(await asker.ask(prompt), 'tag');
  t.is(await asker.ask(prompt), 'name');
  asker[Symbol.dispose]();
  t.regex(await said(), /^ {2}tag {3}by its tag\n {2}name {2}by its name\nWhich\? \(tag\) /);
});

test('an unusable answer is reported, and asked for again', async (t) => {
  const { asker, said } = aTerminal('nam\n', 'name\n', 'no\n', 'yes\n');
  t.is(await asker.ask(prompt), 'name');
  const mistake = (answer: string) => (answer === 'no' ? { what: 'it is yes', next: 'say yes' } : undefined);
  t.is(await asker.ask({ text: 'Sure?', default: 'no', mistake }), 'yes');
  asker[Symbol.dispose]();
  const all = await said();
  t.regex(all, /it is one of tag, name; found "nam"\n {2}did you mean name\?\nWhich\? \(tag\) /);
  t.regex(all, /it is yes\n {2}say yes\nSure\? \(no\) /);
});

test('an input that ends is reported, with what to do', async (t) => {
  const { asker, end } = aTerminal();
  const asked = asker.ask(prompt);
  end();
  await t.throwsAsync(asked, { code: 'E#2001', message: /the prompts were not completed; nothing was written/ });
});

test('without a terminal defaults are taken', async (t) => {
  t.is(await withoutQuestions.ask(prompt), 'tag');
});

test('an answer of any length is reported shortly', (t) => {
  const { what, next } = mistakeInAnswer('x'.repeat(10_000), prompt)!;
  t.true(what.length < 120);
  t.is(next, 'Enter takes the default');
});
