import test from 'ava';
import { askController, askIntegration } from '../../../../../sequencer/cli/scaffold/ask-options.ts';
import { type Prompt, withoutQuestions } from '../../../../../sequencer/cli/scaffold/prompts.ts';

/** Answers by the beginning of the question, the default for others; `asked` are all questions. */
function answering(answers: Readonly<Record<string, string>>) {
  const asked: Prompt[] = [];
  const asker = {
    async ask(prompt: Prompt) {
      asked.push(prompt);
      return Object.entries(answers).find(([start]) => prompt.text.startsWith(start))?.[1] ?? prompt.default;
    },
    [Symbol.dispose]() {},
  };
  return { asker, asked };
}

test('what is not given is asked for', async (t) => {
  const { asker, asked } = answering({ Name: 'acme-mail', 'How is': 'opaque' });
  const scaffold = await askIntegration(asker, { command: 'new' }, 'my-folder');
  t.deepEqual(scaffold, { what: 'integration', name: 'acme-mail', identity: 'opaque' });
  t.deepEqual(
    asked.map((prompt) => prompt.default),
    ['my-folder', 'tag'],
  );
  t.regex(asked[0]!.mistake!('No')!.what, /DNS label/);
});

test('what is given is not asked for', async (t) => {
  const { asker, asked } = answering({});
  const given = { command: 'new', kind: 'DnsZone', group: 'acme.io', model: 'crud' };
  const { kind, group, model } = given;
  t.deepEqual(await askController(asker, given), { what: 'controller', kind, group, model: model as 'crud' });
  t.is(asked.length, 0);
});

test('a folder’s name that cannot be used is not offered', async (t) => {
  for (const offered of ['', 'Wrong', 'spec'])
    t.is((await askIntegration(withoutQuestions, { command: 'init' }, offered)).name, 'acme-dns');
});

test('a given name that cannot be used is refused', async (t) => {
  const refused = { code: 'E#2038' };
  await t.throwsAsync(askIntegration(withoutQuestions, { command: 'new', name: 'A b' }), refused);
  await t.throwsAsync(askController(withoutQuestions, { command: 'new', kind: 'ConfigMap' }), refused);
  await t.throwsAsync(askController(withoutQuestions, { command: 'new', group: 'x' }), refused);
});
