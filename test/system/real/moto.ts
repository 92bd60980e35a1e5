/** Runs moto, a server that speaks AWS's protocols, for tests. */

import { existsSync } from 'node:fs';
import { freePorts } from './free-ports.ts';
import { createScratch, startProcess } from './owned-process.ts';
import { HopelessError, until } from './until.ts';

/** A moto server on the loopback address, owned by this process. */
export interface Moto {
  readonly url: string;
  /** Deletes all that it holds. */
  reset(): Promise<void>;
  /** Kills it. */
  close(): Promise<void>;
}

/** Path of `moto_server`, from the environment: `pip install 'moto[server]'` has 317 MB, too many for every run. */
const program = process.env.MOTO_SERVER ?? '';

/** Reports whether there is a server. */
export const motoAvailable = (): boolean => program !== '' && existsSync(program);

/** Title of a test that is skipped without a server. */
export const motoMissing = 'MOTO_SERVER is not the path of a moto_server: see integrations/route53/README.md';

/** Starts an empty server, ready when it resolves. @throws an error with its log when it does not answer */
export async function startMoto(): Promise<Moto> {
  const scratch = createScratch('moto');
  const [port] = (await freePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  const args = ['-H', '127.0.0.1', '-p', String(port)];
  const started = await startProcess({ name: 'moto', command: program, args, folder: scratch.folder });
  const close = async (): Promise<void> => {
    await started.kill();
    scratch.remove();
  };
  const ask = async () => {
    if (started.ending !== undefined) throw new HopelessError(`moto ${started.ending}:\n${started.lastWords()}`);
    return (await fetch(`${url}/moto-api/`, { headers: { connection: 'close' } })).ok || undefined;
  };
  const message = (error: unknown) => `moto does not answer (${error}):\n${started.lastWords()}`;
  await until(ask, { deadline: 60_000, interval: 100, message }).catch(async (error) => {
    await close();
    throw error;
  });
  return { url, reset: async () => void (await fetch(`${url}/moto-api/reset`, { method: 'POST' })), close };
}
