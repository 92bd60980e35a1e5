/** Runs a real ACME server, Pebble, for tests. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchWithCa } from '../../../../integrations/fetch-with-ca.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import { built } from '../../clients/recipes.ts';
import { freePorts } from '../free-ports.ts';
import { createScratch, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** Options of the server. */
export interface PebbleOptions {
  /** Name server by which it looks challenges up, such as `127.0.0.1:5353`. @default none: every challenge counts as answered */
  readonly nameServer?: string;
  /** Port at which it asks hosts for the answers of challenges over HTTP. @default 5002 */
  readonly httpPort?: number;
  /** Share of nonces that it refuses, in percent. @default 0 */
  readonly refusedNonces?: number;
  /** Share of names that an account has proved already and need no challenge again, in percent. @default 0 */
  readonly reusedAuthorizations?: number;
  /** Validity of its certificates in seconds. @default 604 800 */
  readonly validity?: number;
  /** Names that it refuses to certify, with all below them. @default none */
  readonly refusedNames?: readonly string[];
}

/** A real ACME server, owned by this process, on the loopback address. */
export interface Pebble {
  /** URL of its directory. */
  readonly directory: string;
  /** Certificate to trust as its own, as PEM. */
  readonly ca: string;
  /** Fetches from it. */
  readonly fetch: typeof globalThis.fetch;
  /** Returns the certificate to trust for what it signs, as PEM. */
  root(): Promise<string>;
  /** Reports whether a certificate is revoked, by its serial number in hex. */
  isRevoked(serial: string): Promise<boolean>;
  /** Stalls the server until `resume`; requests sent meanwhile are still processed afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** End of its log. */
  lastWords(): string;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

/** Reports whether the server has been built. */
export const pebbleAvailable = (): boolean => built('pebble') !== undefined;

/** Ports and files of the server. */
interface PebbleLayout {
  readonly port: number;
  readonly managementPort: number;
  readonly certificate: string;
  readonly privateKey: string;
}

/** Returns the content of its configuration file. */
const configOf = (
  { port, managementPort, ...files }: PebbleLayout,
  { httpPort = 5_002, validity = 604_800, refusedNames = [] }: PebbleOptions,
): object => ({
  pebble: {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    ...files,
    httpPort,
    tlsPort: 5_001,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    domainBlocklist: refusedNames,
    retryAfter: { authz: 1, order: 1 },
    profiles: { default: { description: 'for tests', validityPeriod: validity } },
  },
});

/** Starts a server without accounts, ready when it resolves. @throws an error when it has not been built, and with its log when it does not answer */
export async function startPebble(options: PebbleOptions = {}): Promise<Pebble> {
  const { nameServer, refusedNonces = 0, reusedAuthorizations = 0 } = options;
  const program = built('pebble');
  if (program === undefined) throw new Error('pebble is not built: npx node test/system/clients/build.ts pebble');
  const scratch = createScratch('pebble');
  const { folder } = scratch;
  const [port, managementPort] = (await freePorts(2)) as [number, number];
  const authority = createAuthority(Date.now());
  const { certificate, key } = authority.issue(['127.0.0.1']);
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const files = { certificate: write('certificate.pem', certificate), privateKey: write('key.pem', key) };
  const config = write('pebble.json', JSON.stringify(configOf({ port, managementPort, ...files }, options)));
  const environment = {
    PEBBLE_VA_NOSLEEP: '1',
    PEBBLE_WFE_NONCEREJECT: `${refusedNonces}`,
    PEBBLE_AUTHZREUSE: `${reusedAuthorizations}`,
    ...(nameServer === undefined && { PEBBLE_VA_ALWAYS_VALID: '1' }),
  };
  const args = ['-config', config, ...(nameServer === undefined ? [] : ['-dnsserver', nameServer])];
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = [...variables, join(program, 'pebble'), ...args];
  const started = await startProcess({ name: 'pebble', command: '/usr/bin/env', args: command, folder });
  const fetch = fetchWithCa(authority.certificate);
  const directory = `https://127.0.0.1:${port}/dir`;
  const ask = async () => {
    if (started.ending !== undefined) throw new HopelessError(`pebble ${started.ending}:\n${started.lastWords()}`);
    return (await fetch(directory)).ok || undefined;
  };
  const close = async (): Promise<void> => {
    await started.kill();
    scratch.remove();
  };
  const message = (error: unknown) => `pebble does not answer (${error}):\n${started.lastWords()}`;
  await until(ask, { deadline: 20_000, interval: 20, message }).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    directory,
    ca: authority.certificate,
    fetch,
    root: async () => (await fetch(`https://127.0.0.1:${managementPort}/roots/0`)).text(),
    async isRevoked(serial) {
      const answer = await fetch(`https://127.0.0.1:${managementPort}/cert-status-by-serial/${serial.toLowerCase()}`);
      return ((await answer.json()) as { readonly Status: string }).Status === 'Revoked';
    },
    pause: () => started.pause(),
    resume: () => started.resume(),
    lastWords: () => started.lastWords(),
    close,
  };
}
