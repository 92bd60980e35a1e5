/** Runs a real Alertmanager for tests. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../free-ports.ts';
import { createScratch, programPath, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** A real Alertmanager owned by this process, on the loopback address. */
export interface AlertmanagerProcess {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** Stalls it until `resume`; requests sent meanwhile are still processed afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Starts one without silences, ready when it resolves. @throws when it is not installed, and with the end of its log when it does not answer */
export async function startAlertmanager(): Promise<AlertmanagerProcess> {
  const command = programPath('prometheus-alertmanager') ?? programPath('alertmanager');
  if (command === undefined) throw new Error('it is not installed: apt-get install prometheus-alertmanager');
  const scratch = createScratch('alertmanager');
  const { folder } = scratch;
  const [port] = await freePorts(1);
  const url = `http://${host}:${port}`;
  writeFileSync(join(folder, 'alertmanager.yml'), 'route: { receiver: none }\nreceivers: [{ name: none }]\n');
  const args = [
    `--config.file=${join(folder, 'alertmanager.yml')}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=${host}:${port}`,
    '--cluster.listen-address=',
  ];
  const server = await startProcess({ name: 'alertmanager', command, args, folder });
  const ask = async () => {
    if (server.ending !== undefined) throw new HopelessError(`alertmanager ${server.ending}:\n${server.lastWords()}`);
    return (await fetch(`${url}/-/ready`, { headers: { connection: 'close' } })).ok || undefined;
  };
  const message = (error: unknown) => `alertmanager does not answer (${error}):\n${server.lastWords()}`;
  await until(ask, { deadline: 20_000, interval: 20, message }).catch(async (error) => {
    await server.kill();
    throw error;
  });
  return {
    url,
    pause: () => server.pause(),
    resume: () => server.resume(),
    async close() {
      await server.kill();
      scratch.remove();
    },
  };
}
