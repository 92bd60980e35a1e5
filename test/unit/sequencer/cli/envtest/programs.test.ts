import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { assetPrograms } from '../../../../../sequencer/cli/envtest/programs.ts';
import { aFolder } from '../../../a-folder.ts';

/** Runs one of the programs and prints its command line instead of executing it. */
async function runOf(t: ExecutionContext, file: string, ...args: readonly string[]): Promise<string> {
  const programs = assetPrograms(['printf', '<%s>', "it's"], ['--version=1.30']);
  const folder = await aFolder(t, Object.fromEntries(programs.map(({ file: name, text }) => [name, text])));
  return execFileSync(join(folder, file), args, { encoding: 'utf8' });
}

test('each program passes its flags on as they are', async (t) => {
  t.is(await runOf(t, 'etcd', '--data-dir=/a b', '$x'), "<it's><etcd><--><--data-dir=/a b><$x>");
  t.is(await runOf(t, 'kube-apiserver', '--v=1'), "<it's><kube-apiserver><--version=1.30><--><--v=1>");
});

test('flags are listed without starting anything, each on a line of its own', async (t) => {
  t.regex(await runOf(t, 'etcd', '--help'), /^ {2}--listen-client-urls /m);
  const help = await runOf(t, 'kube-apiserver', '--help');
  t.regex(help, /^ {2}--secure-port /m);
  t.notRegex(help, /insecure-port/); // envtest would otherwise pass it
});
