/** Servers for client programs. */

import { readFileSync } from 'node:fs';
import { type Api, createApi } from '../real/api.ts';
import { realServerAvailable } from '../real/binaries.ts';
import { startRealServer } from '../real/server.ts';
import { run, sequencerArguments, startClusterProgram } from '../stories/programs.ts';
import { addressIn } from '../stories/servers.ts';

/** A server in processes of its own, which clients reach by a kubeconfig. */
export interface ServerProgram {
  readonly kubeconfigPath: string;
  /** Sends requests as the administrator of that kubeconfig. */
  readonly api: Api;
  close(): Promise<void>;
}

/** Runs `sequencer control` on a server that was started with `--control`; rejects with its output when it fails. */
export async function control({ kubeconfigPath }: ServerProgram, ...words: readonly string[]): Promise<void> {
  const args = sequencerArguments('control', '--kubeconfig', kubeconfigPath, ...words);
  const { code, stderr } = await run(process.execPath, args);
  if (code !== 0) throw new Error(`sequencer control ${words.join(' ')}: ${stderr}`);
}

/** Starts `sequencer cluster`; runs pods by default. */
export async function startInMemory(flags?: readonly string[]): Promise<ServerProgram> {
  const program = await startClusterProgram(flags);
  const api = createApi(addressIn(readFileSync(program.kubeconfigPath, 'utf8')));
  const close = async () => {
    api.close();
    await program.close();
  };
  return { kubeconfigPath: program.kubeconfigPath, api, close };
}

/** A server to test clients on. */
export interface ServerUnderTest {
  readonly name: string;
  /** Its garbage collector discovers a new kind at once; the real one does so every 30 s. */
  readonly collectsAtOnce: boolean;
  /** `control` can break it. */
  readonly isBreakable: boolean;
  /** Pods become Ready. */
  readonly runsPods: boolean;
  start(): Promise<ServerProgram>;
}

/** `sequencer cluster`. */
export const inMemory: ServerUnderTest = {
  name: 'sequencer cluster',
  collectsAtOnce: true,
  isBreakable: true,
  runsPods: true,
  start: () => startInMemory(['--kubelet', '--control']),
};

/** The real server, the reference for clients' expectations; `undefined` where it has not been built. */
export const judge: ServerUnderTest | undefined = realServerAvailable()
  ? {
      name: 'kube-apiserver',
      collectsAtOnce: false,
      isBreakable: false,
      runsPods: false,
      start: () => startRealServer(),
    }
  : undefined;
