import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { createInterrupt } from '../../../../../sdk/host/index.ts';
import { systemClock } from '../../../../../sdk/index.ts';
import { type ExitingProcess, watchExit } from '../../../../../sequencer/cli/args/config-exit.ts';
import { endProcess } from '../../../../../sequencer/cli/process/end-process.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

for (const [exit, code] of [
  ['process.exit(0)', 1],
  ['process.exit()', 1],
  ['process.exit(3)', 3],
] as const)
  test(`a config with ${exit} is named with its line, and the code is ${code}`, async (t) => {
    const folder = await aFolder(t, { 'sequencer.config.js': `export const integrations = [];\n${exit};` });
    const file = join(folder, 'sequencer.config.js');
    const ended = await runToEnd(['manifests', '--config', file]);
    t.like(ended, { code, stdout: '' });
    const [first, second, third] = ended.stderr.split('\n');
    const given = code === 1 ? 0 : code;
    t.is(first, `error E#2011: config ${file} does not load: it has ended the process, with process.exit(${given})`);
    t.regex(second ?? '', /^ {2}at .*sequencer\.config\.js:2:9\)?$/);
    t.is(third, '  throw an Error instead, which says what is missing');
  });

/** A process that exits, and what it has written. */
function aProcess() {
  const written: string[] = [];
  const exiting = Object.assign(new EventEmitter(), { stderr: { write: (text: string) => void written.push(text) } });
  return { exiting: exiting as ExitingProcess & EventEmitter, written };
}

test('an exit after the load, at a second Ctrl-C, or at the end of the command is not the config’s', (t) => {
  const { exiting, written } = aProcess();
  watchExit('a.js', exiting)[Symbol.dispose]();
  exiting.emit('exit', 0);
  t.deepEqual([written, exiting.listenerCount('exit')], [[], 0]);

  using _watch = watchExit('b.js', exiting);
  const exit = () => void exiting.emit('exit', 0);
  const source = new EventEmitter();
  const times = [0, 1000];
  const clock = { ...systemClock, monotonic: () => times.shift() ?? 0 };
  using _interrupt = createInterrupt({ source, clock, exit });
  source.emit('SIGINT');
  source.emit('SIGINT');
  t.deepEqual(times, []);
  const output = { writableLength: 0, write: () => {} };
  endProcess({ stdout: output, stderr: output, getActiveResourcesInfo: () => [], exit }, (look) => look());
  t.deepEqual([written, exiting.exitCode], [[], undefined]);
  exit();
  t.deepEqual([written.length, exiting.exitCode], [1, 1]);
});
