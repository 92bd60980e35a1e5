/** Runs server processes that end with their owner. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from './until.ts';

/** Program to start, and the folder of its output. */
export interface ProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Working directory; the log is `<name>.log` in it, appended to on every start. */
  readonly folder: string;
}

/** A server process that never outlives the process, or the worker thread, that started it. */
export interface OwnedProcess {
  readonly name: string;
  readonly pid: number;
  /** Exit status, such as `exited with 1`; `undefined` while it runs. */
  readonly ending: string | undefined;
  /** Sends SIGSTOP; resolves when every thread has stopped (a busy one may answer after the signal was sent). */
  pause(): Promise<void>;
  /** Sends SIGCONT. */
  resume(): void;
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>;
  /** The end of its log. */
  lastWords(): string;
  /** CPU time used so far, in ms (steps of 10); 0 once it has ended, and where there is no /proc. */
  cpuMs(): number;
}

/** Characters of a log that an error message includes. */
const lastWordsLength = 4_000;

/** Milliseconds of one tick in /proc: USER_HZ is 100 on every Linux architecture in use. */
const tick = 10;

/** Runs a shell script as soon as this process ends, for any reason; the returned function cancels that. */
function afterOurDeath(script: string, argument: string): () => void {
  const watcher = spawn('/bin/sh', ['-c', `read -r _; ${script}`, argument], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as Socket).unref();
  return () => watcher.kill('SIGKILL');
}

/** Creates a folder under the system's temporary one; `remove` deletes it, and so does the end of this process. */
export function createScratch(prefix: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}-`));
  const callOff = afterOurDeath('sleep 1; rm -rf "$0"', folder);
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      callOff();
    },
  };
}

/** Starts a process; rejects when its program cannot be run. */
export async function startProcess({ name, command, args, folder }: ProcessOptions): Promise<OwnedProcess> {
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'a');
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  await started(child, command);
  child.unref();
  const pid = child.pid!;
  const callOff = afterOurDeath('kill -KILL "$0"', String(pid));
  let ending: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      ending = code === null ? `was ended by ${signal}` : `exited with ${code}`;
      callOff();
      resolve();
    });
  });
  return {
    name,
    pid,
    get ending() {
      return ending;
    },
    async pause() {
      child.kill('SIGSTOP');
      const standing = async () => (ending !== undefined || standsStill(pid) ? true : undefined);
      await until(standing, { deadline: 5_000, interval: 1, message: () => `${name} does not stop` });
    },
    resume: () => void child.kill('SIGCONT'),
    kill: async () => {
      if (ending === undefined) child.kill('SIGKILL');
      await held(ended);
    },
    lastWords: () => readFileSync(log, 'utf8').slice(-lastWordsLength),
    cpuMs: () => (ending === undefined ? cpuOf(pid) : 0),
  };
}

const started = (child: ChildProcess, command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(new Error(`${command} does not start`, { cause })));
  });

/** Keeps the event loop alive while waiting, since the children are unreferenced. */
async function held(ended: Promise<void>): Promise<void> {
  const hold = setInterval(() => {}, 1_000);
  await ended.finally(() => clearInterval(hold));
}

/** Fields of a /proc stat file from the third on, which is the state. */
const statOf = (path: string): readonly string[] => readFileSync(path, 'utf8').split(') ').at(-1)!.split(' ');

function cpuOf(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const fields = statOf(path);
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** Reports whether every thread is stopped; true also where there is no /proc. */
function standsStill(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return true;
  return readdirSync(tasks).every((task) => statOf(join(tasks, task, 'stat'))[0] === 'T');
}

/** Path of a program on the PATH or in the folders of system daemons; `undefined` when it is not installed. */
export function programPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
