/** Runs moto, a server that speaks AWS's protocols, for tests. */

import { built } from '../../clients/recipes.ts';
import { freePorts } from '../free-ports.ts';
import { createScratch, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** A moto server on the loopback address, owned by this process. */
export interface Moto {
  readonly url: string;
  /** Deletes all that it holds. */
  reset(): Promise<void>;
  /** Kills it. */
  close(): Promise<void>;
}

/** Starts an empty server, ready when it resolves. @throws an error when it has not been built, and with its log when it does not answer */
export async function startMoto(): Promise<Moto> {
  const packages = built('moto');
  if (packages === undefined) throw new Error('moto is not built: npx node test/system/clients/build.ts moto');
  const scratch = createScratch('moto');
  const [port] = (await freePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  const args = [`PYTHONPATH=${packages}`, 'python3', '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const started = await startProcess({ name: 'moto', command: '/usr/bin/env', args, folder: scratch.folder });
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
