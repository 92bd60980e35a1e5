/** Runs a real mail server, aiosmtpd, for tests. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import { built } from '../../clients/recipes.ts';
import { freePorts } from '../free-ports.ts';
import { createScratch, type OwnedProcess, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** Mail that was taken. */
export interface KeptMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text, as they came. */
  readonly content: string;
}

/** A real mail server owned by this process, on the loopback address; it refuses recipients `refused@…`, and asks for patience for `later@…`. */
export interface SmtpProcess {
  readonly host: string;
  readonly port: number;
  /** Certificates to trust, as PEM. */
  readonly ca: string;
  /** All mails in their order. */
  mails(): readonly KeptMail[];
  /** Says what becomes of the mails from now on: taken, taken without an answer, or refused in one of two ways. */
  behave(mood: 'taken' | 'cut' | 'refused' | 'later'): void;
  /** Forgets all mails. */
  clear(): void;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

/** Credential that the server asks for, after STARTTLS; without one it has no TLS. */
export interface SmtpCredential {
  readonly user: string;
  readonly password: string;
}

const host = '127.0.0.1';
const program = join(import.meta.dirname, '../..', 'clients', 'smtp', 'server.py');

/** Resolves once the server greets. */
const greeting = (port: number): Promise<true> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setTimeout(1_000, () => socket.destroy(new Error('no greeting')));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', reject);
  });

/** Starts one without mails, ready when it resolves. @throws when it has not been built, and with the end of its log when it does not answer */
export async function startSmtp({ user, password }: SmtpCredential = { user: '', password: '' }): Promise<SmtpProcess> {
  const packages = built('smtp');
  if (packages === undefined) throw new Error('aiosmtpd is not there: npx node test/system/clients/build.ts smtp');
  const scratch = createScratch('smtp');
  const { folder } = scratch;
  const [port] = (await freePorts(1)) as [number];
  const authority = createAuthority(Date.now());
  const { certificate, key } = authority.issue([host]);
  const pem = join(folder, 'server.pem');
  writeFileSync(pem, `${certificate}${key}`, { mode: 0o600 });
  const environment = [`PYTHONPATH=${packages}`, 'PYTHONDONTWRITEBYTECODE=1'];
  const args = [...environment, 'python3', program, String(port), folder, user, password, pem];
  const server: OwnedProcess = await startProcess({ name: 'smtp', command: '/usr/bin/env', args, folder });
  const ask = () => {
    if (server.ending !== undefined) throw new HopelessError(`aiosmtpd ${server.ending}:\n${server.lastWords()}`);
    return greeting(port);
  };
  const message = (error: unknown) => `aiosmtpd does not answer (${error}):\n${server.lastWords()}`;
  await until(ask, { deadline: 20_000, interval: 20, message }).catch(async (error) => {
    await server.kill();
    throw error;
  });
  const mails = join(folder, 'mails.jsonl');
  return {
    host,
    port,
    ca: authority.certificate,
    mails: () =>
      (existsSync(mails) ? readFileSync(mails, 'utf8').trimEnd().split('\n') : [])
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as KeptMail),
    behave: (mood) => writeFileSync(join(folder, 'mood'), mood),
    clear: () => writeFileSync(mails, ''),
    async close() {
      await server.kill();
      scratch.remove();
    },
  };
}
