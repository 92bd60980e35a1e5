/** Runs the benchmark's programs and exchanges lines of JSON with them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Lab } from '../benchmark.ts';

/** Options of a program in a process of its own. */
export interface ChildOptions {
  readonly lab: Pick<Lab, 'code' | 'signal'>;
  /** ms until an answer must have arrived. @default 120 000 */
  readonly deadline?: number;
  /** Arguments of Node, after the default ones. @default [] */
  readonly nodeArguments?: readonly string[];
}

/** A running program that answers questions, one line of JSON each way. It ends when its input does, so it cannot outlive this process. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Returns its next message. @throws Error with the program's last output when it ends instead, or at the deadline */
  said<T>(): Promise<T>;
  /** Sends a question and waits for the answer. */
  ask<T>(question: unknown): Promise<T>;
}

const lastWords = 2_000;

/** Starts `programs/<name>.ts` with its parameters as JSON. */
export function startChild(name: string, parameters: unknown, options: ChildOptions): Child {
  const { lab, deadline = 120_000, nodeArguments = [] } = options;
  const { code, signal } = lab;
  const program = [code.path(`test/project/bench/programs/${name}.ts`), JSON.stringify(parameters)];
  const child = spawn(process.execPath, [...code.nodeArguments, ...nodeArguments, ...program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-lastWords);
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  const said = async <T>(): Promise<T> => {
    const expired = AbortSignal.any([signal, AbortSignal.timeout(deadline)]);
    const late = once(expired, 'abort').then(() => Promise.reject(expired.reason));
    const next = await Promise.race([lines.next(), late]);
    if (!next.done) return JSON.parse(next.value) as T;
    await ended;
    signal.throwIfAborted();
    throw new Error(`${name} ended without an answer:\n${errors}`);
  };
  return {
    pid: child.pid!,
    said,
    ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return said();
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      const killer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(killer);
    },
  };
}
