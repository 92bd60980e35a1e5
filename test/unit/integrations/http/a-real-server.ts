/** The example servers of hooks, in Python and Go, as processes. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createScratch, programPath, startProcess } from '../../../system/real/owned-process.ts';
import { HopelessError, until } from '../../../system/real/until.ts';
import { secret } from './subject.ts';

const examples = join(import.meta.dirname, '../../../../examples/hooks');

/** Languages that an example is in. */
export type Language = 'Python' | 'Go';

/** Running server, started to be proved. */
export interface RealHooksServer {
  readonly url: string;
  close(): Promise<void>;
}

function program(name: string): string {
  const path = programPath(name);
  if (path === undefined)
    throw new Error(`${name} is not installed: apt-get install ${name === 'go' ? 'golang-go' : name}`);
  return path;
}

/** Returns the command of a server; one in Go is compiled into the folder. */
function commandOf(language: Language, folder: string): readonly string[] {
  if (language === 'Python') return [program('python3'), join(examples, 'boxes.py')];
  const built = join(folder, 'boxes');
  execFileSync(program('go'), ['build', '-o', built, join(examples, 'boxes.go')], { cwd: folder, stdio: 'pipe' });
  return [built];
}

/** Starts one on a free port. @throws when the language is not installed, and with the end of its log when it does not start */
export async function startRealHooksServer(
  language: Language,
  args: readonly string[] = ['--testing'],
): Promise<RealHooksServer> {
  const { folder, remove } = createScratch('hooks');
  const command = [`HOOKS_SECRET=${secret}`, ...commandOf(language, folder), '--port', '0', ...args];
  const server = await startProcess({ name: 'boxes', command: '/usr/bin/env', args: command, folder });
  const listening = async () => {
    if (server.ending !== undefined) throw new HopelessError(`boxes ${server.ending}:\n${server.lastWords()}`);
    return /listening on (http:\S+)/.exec(server.lastWords())?.[1];
  };
  const message = () => `boxes in ${language} does not start:\n${server.lastWords()}`;
  return {
    url: await until(listening, { deadline: 20_000, interval: 20, message }),
    async close() {
      await server.kill();
      remove();
    },
  };
}
