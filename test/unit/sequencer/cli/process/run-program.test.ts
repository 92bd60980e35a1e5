import test from 'ava';
import { runToEnd, start } from '../a-terminal.ts';

/** A program that prints its arguments and exits with a code of its own. */
const programOf = (...statements: readonly string[]): readonly string[] => [
  '--',
  process.execPath,
  '-e',
  statements.join(';'),
];

test('a program is run with the cluster at hand, and its exit code is the answer', async (t) => {
  const tell = 'console.log(existsSync(KUBECONFIG), USE_EXISTING_CLUSTER, readFileSync(0, "utf8"), process.argv[1])';
  const says = [
    'const { existsSync, readFileSync } = require("fs")',
    'const { KUBECONFIG, USE_EXISTING_CLUSTER } = process.env',
    tell,
  ];
  const command = start(['cluster', ...programOf(...says, 'process.exit(7)'), '--', '--help'], { input: 'hello' });
  const { code, stdout, stderr } = await command.ended;
  t.deepEqual([code, stdout, stderr], [7, 'true true hello --help\n', '']);
});

test('a program gets the signals, and the cluster ends after it', async (t) => {
  const waits = 'process.on("SIGTERM", () => { console.log("bye"); process.exit(3) })';
  const command = start(['cluster', ...programOf(waits, 'setInterval(() => {}, 1000)', 'console.log("up")')]);
  await command.printed(/^up/m);
  command.process.kill('SIGTERM');
  t.like(await command.ended, { code: 3, stdout: 'up\nbye\n' });
  const killed = await start(['cluster', ...programOf('process.kill(process.pid, "SIGKILL")')]).ended;
  t.is(killed.code, 137);
});

test('a program that is not there is reported, and so is what cannot be asked together', async (t) => {
  const missing = await runToEnd(['cluster', '--', 'no-such-program']);
  t.is(missing.code, 1);
  t.regex(
    missing.stderr,
    /^error E#2036: cannot run no-such-program: .*ENOENT\n {2}there is no such program on the PATH/,
  );
  t.regex((await runToEnd(['cluster', '--until-eof', '--', 'true'])).stderr, /E#2001: .*--until-eof has no meaning/);
});
