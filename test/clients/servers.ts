import { readFileSync } from 'node:fs';
import { type Api, createApi } from '../real/api.ts';
import { realServerAvailable } from '../real/binaries.ts';
import { startRealServer } from '../real/server.ts';
import { run, sequencerArguments, startClusterProgram } from '../stories/programs.ts';
import { addressIn } from '../stories/servers.ts';

/** A server in processes of its own, as its clients see it: by a kubeconfig. */
export interface ServerProgram {
  readonly kubeconfigPath: string;
  /** Asks as the administrator of that kubeconfig. */
  readonly api: Api;
  close(): Promise<void>;
}

/** What `sequencer control` is told about a server that was started with `--control`; rejects with what it says when it fails. */
export async function control({ kubeconfigPath }: ServerProgram, ...words: readonly string[]): Promise<void> {
  const args = sequencerArguments('control', '--kubeconfig', kubeconfigPath, ...words);
  const { code, stderr } = await run(process.execPath, args);
  if (code !== 0) throw new Error(`sequencer control ${words.join(' ')}: ${stderr}`);
}

/** Starts `sequencer cluster`; its pods run unless told otherwise. */
export async function startInMemory(flags?: readonly string[]): Promise<ServerProgram> {
  const program = await startClusterProgram(flags);
  const api = createApi(addressIn(readFileSync(program.kubeconfigPath, 'utf8')));
  const close = async () => {
    api.close();
    await program.close();
  };
  return { kubeconfigPath: program.kubeconfigPath, api, close };
}

/** A server that clients have to live with. */
export interface ServerUnderTest {
  readonly name: string;
  /** Whether its garbage collector knows a new kind at once; the real one looks for them every 30 s. */
  readonly collectsAtOnce: boolean;
  /** Whether `control` can break it. */
  readonly isBreakable: boolean;
  /** Whether pods become Ready. */
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

/** The judge of what clients expect; `undefined` where it has not been built. */
export const judge: ServerUnderTest | undefined = realServerAvailable()
  ? {
      name: 'kube-apiserver',
      collectsAtOnce: false,
      isBreakable: false,
      runsPods: false,
      start: () => startRealServer(),
    }
  : undefined;
