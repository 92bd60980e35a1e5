/** Runs a real S3 server with IAM, versitygw, for tests. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../../clients/recipes.ts';
import { freePorts } from '../free-ports.ts';
import { createScratch, type OwnedProcess, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** A real S3 server and its IAM service, owned by this process, on the loopback address. */
export interface Versitygw {
  /** Address of S3's API. */
  readonly s3: string;
  /** Address of IAM's API. */
  readonly iam: string;
  readonly region: string;
  /** Credential that may do everything. */
  readonly root: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Stalls both until `resume`; requests sent meanwhile are still processed afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** End of the log of the S3 server. */
  lastWords(): string;
  /** Kills both and deletes their files. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
const root = { accessKeyId: 'root-of-the-test', secretAccessKey: 'secret-of-the-root-of-the-test' };

/** Reports whether the server has been built. */
export const versitygwAvailable = (): boolean => built('versitygw') !== undefined;

/** One of the two programs. */
interface Program {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly args: readonly string[];
}

const argumentsOf = (port: number): readonly string[] => [
  ...['--health', '/healthz', '--port', `${host}:${port}`],
  ...['--access', root.accessKeyId, '--secret', root.secretAccessKey, '--quiet'],
];

/** Starts one of the two, ready when it resolves. */
async function start({ name, port, folder, args }: Program): Promise<OwnedProcess> {
  const command = join(built('versitygw') ?? '', 'versitygw');
  const started = await startProcess({ name, command, args: [...argumentsOf(port), ...args], folder });
  const ask = async () => {
    if (started.ending !== undefined) throw new HopelessError(`${name} ${started.ending}:\n${started.lastWords()}`);
    return (await fetch(`http://${host}:${port}/healthz`, { headers: { connection: 'close' } })).ok || undefined;
  };
  const message = (error: unknown) => `${name} does not answer (${error}):\n${started.lastWords()}`;
  await until(ask, { deadline: 20_000, interval: 20, message }).catch(async (error) => {
    await started.kill();
    throw error;
  });
  return started;
}

/** Starts a server without buckets and users, ready when it resolves. @throws an error when it has not been built, and with its log when it does not answer */
export async function startVersitygw(): Promise<Versitygw> {
  if (!versitygwAvailable()) throw new Error('versitygw is not built: npx node test/system/clients/build.ts versitygw');
  const scratch = createScratch('versitygw');
  const { folder } = scratch;
  const [s3Port, iamPort] = (await freePorts(2)) as [number, number];
  const [iam, objects, attributes, versions] = ['iam', 'objects', 'attributes', 'versions'].map((one) =>
    join(folder, one),
  ) as [string, string, string, string];
  for (const one of [iam, objects, attributes, versions]) mkdirSync(one);
  const socket = join(folder, 'iam.sock');
  const running: OwnedProcess[] = [];
  const close = async (): Promise<void> => {
    for (const one of running) await one.kill();
    scratch.remove();
  };
  try {
    running.push(
      await start({ name: 'iam', port: iamPort, folder, args: ['iam', '--dir', iam, '--private-ports', socket] }),
    );
    const storage = ['posix', '--sidecar', attributes, '--versioning-dir', versions, objects];
    running.push(
      await start({ name: 's3', port: s3Port, folder, args: ['--iam-standalone-endpoint', socket, ...storage] }),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    s3: `http://${host}:${s3Port}`,
    iam: `http://${host}:${iamPort}`,
    region: 'us-east-1',
    root,
    pause: async () => void (await Promise.all(running.map((one) => one.pause()))),
    resume() {
      for (const one of running) one.resume();
    },
    lastWords: () => running[1]!.lastWords(),
    close,
  };
}
