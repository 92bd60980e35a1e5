import test from 'ava';
import { endProcess } from '../../../../../sequencer/cli/process/end-process.ts';

/** A process with these open resources, and what has become of it. */
function aProcess(open: readonly string[]) {
  const events: string[] = [];
  const looks: (() => void)[] = [];
  const stdout = { writableLength: 0 };
  const stderr = { writableLength: 0, write: (text: string) => void events.push(text) };
  const getActiveResourcesInfo = () => [...open];
  const ending = { stdout, stderr, getActiveResourcesInfo, exit: () => void events.push('exit') };
  return { ending, events, stdout, later: (look: () => void) => void looks.push(look), look: () => looks.shift()?.() };
}

test('a process that a plug-in holds is ended, and what was open is named', (t) => {
  const { ending, events, later, look } = aProcess(['PipeWrap', 'Timeout', 'TCPServerWrap', 'Timeout']);
  endProcess(ending, later);
  t.deepEqual(events, [], 'connections that are being closed have time');
  look();
  t.deepEqual(events, [
    'note: exited, although the config or a plug-in still has open resources: Timeout, TCPServerWrap\n',
    'exit',
  ]);
});

test('what is not yet written goes out before, and streams and kept connections are no news', (t) => {
  const { ending, events, stdout, later, look } = aProcess(['PipeWrap', 'TCPSocketWrap']);
  stdout.writableLength = 65_536;
  endProcess(ending, later);
  look();
  t.deepEqual(events, []);
  stdout.writableLength = 0;
  look();
  t.deepEqual(events, ['exit']);
});
