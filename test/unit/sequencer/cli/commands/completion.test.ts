import { execFileSync } from 'node:child_process';
import test from 'ava';
import { UserError } from '../../../../../sdk/index.ts';
import { type Command, commonOptions } from '../../../../../sequencer/cli/args/command.ts';
import { completionOf } from '../../../../../sequencer/cli/commands/completion.ts';
import { runToEnd } from '../a-terminal.ts';

const options = { ...commonOptions, class: { type: 'string', value: 'NAME', description: "a tenant's" } } as const;
const walk: Command = { name: 'walk', summary: 'walk', options, examples: [], run: async () => 0 };

const script = async (shell: string) => (await runToEnd(['completion', shell])).stdout;

/** Words that bash offers for a command line; the last one is being typed. */
function offered(completion: string, ...line: readonly string[]): readonly string[] {
  const program = `${completion}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sequencer; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['-c', program, 'bash', 'sequencer', ...line], { encoding: 'utf8' });
  return text.split('\n').filter((word) => word !== '');
}

test('bash completes commands, options and their values', async (t) => {
  const completion = await script('bash');
  t.deepEqual(offered(completion, 'dr'), ['drain']);
  t.true(offered(completion, '').includes('run'));
  t.deepEqual(offered(completion, 'run', '--leader'), ['--leader-elect']);
  t.deepEqual(offered(completion, 'run', '--log-format', 't'), ['text']);
  t.deepEqual(offered(completion, 'run', '--log-level', 'deb'), ['debug']);
  t.deepEqual(offered(completion, 'nonsense', '--'), []);
});

test('zsh and fish get the same, with texts quoted', async (t) => {
  t.true((await script('zsh')).startsWith('#compdef sequencer\n'));
  const fish = await script('fish');
  t.true(fish.includes("complete -c sequencer -n '__fish_seen_subcommand_from run' -l log-format -x -a 'json text'"));
  t.true(fish.split('\n').every((line) => line === '' || line.startsWith('complete -c sequencer ')));
});

test('another shell is refused', async (t) => {
  const command = completionOf([walk]);
  const none = { values: {}, lists: {}, flags: new Set<string>() };
  for (const operands of [[], ['csh'], ['bash', 'zsh']])
    await t.throwsAsync(command.run({ ...none, operands }), {
      instanceOf: UserError,
      message: /one of bash, zsh, fish/,
    });
});

test('another shell is refused, with the one that was probably meant', async (t) => {
  const misspelt = await runToEnd(['completion', 'bsh']);
  t.is(misspelt.code, 1);
  t.regex(misspelt.stderr, /completion: needs one of .*; found "bsh"\n {2}did you mean bash\?\n/);
  t.regex((await runToEnd(['completion'])).stderr, /; found ""\n {2}sequencer completion bash\n/);
});
