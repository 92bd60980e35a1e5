import test from 'ava';
import { runToEnd, start } from './a-terminal.ts';

test('without a command, or asked for help, the commands are listed', async (t) => {
  for (const args of [[], ['--help'], ['help']]) {
    const { code, stdout } = await runToEnd(args);
    t.is(code, 0);
    for (const command of ['dev', 'run', 'cluster', 'crds'])
      t.regex(stdout, new RegExp(`^ {2}${command} {2,}\\w`, 'm'));
  }
});

test('every command explains itself with options and examples', async (t) => {
  for (const command of ['dev', 'run', 'cluster', 'crds']) {
    const { code, stdout } = await runToEnd([command, '--help']);
    t.is(code, 0);
    t.regex(stdout, new RegExp(`^sequencer ${command}: `));
    t.regex(stdout, new RegExp(`^Examples\n {2}sequencer ${command}|^Examples\n.*\\| sequencer ${command}`, 'm'));
  }
});

test('it says which version it is', async (t) => {
  for (const args of [['--version'], ['version']]) t.regex((await runToEnd(args)).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('an unknown command or option is one message with what was meant, and exit code 1', async (t) => {
  t.deepEqual(await runToEnd(['clutser']), {
    code: 1,
    stdout: '',
    stderr: 'error E#2001: unknown command clutser\n  did you mean cluster?\n',
  });
  t.deepEqual(await runToEnd(['--config', 'x.ts', 'run']), {
    code: 1,
    stdout: '',
    stderr: 'error E#2001: unknown command --config\n  options follow the command: sequencer COMMAND [OPTION]...\n',
  });
  t.deepEqual(await runToEnd(['dev', '--onse']), {
    code: 1,
    stdout: '',
    stderr: 'error E#2001: sequencer dev: unknown option --onse\n  did you mean --once?\n',
  });
});

test('stack traces come with --log-level debug only', async (t) => {
  const quiet = await runToEnd(['dev', '/no/such.yaml']);
  t.is(quiet.code, 1);
  t.regex(
    quiet.stderr,
    /^error E#2002: cannot read \/no\/such\.yaml: .*\n {2}name a YAML file, or - for standard input\n$/,
  );
  const loud = await runToEnd(['dev', '/no/such.yaml', '--log-level', 'debug']);
  t.regex(loud.stderr, /UserError: cannot read .*\n +at .*manifests\.ts/);
});

test('a reader that stops reading is not a failure', async (t) => {
  const command = start(['crds']);
  command.process.stdout?.destroy();
  const { code, stderr } = await command.ended;
  t.deepEqual([code, stderr], [0, '']);
});
