/** Runs a real code host, Gitea, for tests. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { built } from '../../clients/recipes.ts';
import { freePorts } from '../free-ports.ts';
import { createScratch, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** Person with an account, and a token with all scopes. */
export interface GiteaUser {
  readonly name: string;
  readonly token: string;
  /** Sends a request to the API as this person; answers the body. @throws with status and body of a refusal */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** Makes a commit with this text on top of a branch, or of the repository's beginning, and pushes it as this branch. @returns its id */
  push(repository: string, branch: string, text: string): Promise<string>;
}

/** A real code host, owned by this process, on the loopback address. */
export interface Gitea {
  /** Address of the API. */
  readonly url: string;
  /** Administrator of the host. */
  readonly admin: GiteaUser;
  /** Creates a person. */
  user(name: string): Promise<GiteaUser>;
  /** Stalls the server until `resume`; requests sent meanwhile are still processed afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** End of its log. */
  lastWords(): string;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
const run = promisify(execFile);

/** Reports whether the server has been built. */
export const giteaAvailable = (): boolean => built('gitea') !== undefined;

/** Returns its configuration: SQLite, no search, no jobs, webhooks to this machine. */
const configOf = ({ folder, program, port }: Readonly<Record<'folder' | 'program', string>> & { port: number }) => `
RUN_MODE = prod
WORK_PATH = ${folder}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = ${host}
HTTP_PORT = ${port}
ROOT_URL = http://${host}:${port}/
STATIC_ROOT_PATH = ${program}
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${folder}/gitea.db
[security]
INSTALL_LOCK = true
SECRET_KEY = ${randomBytes(24).toString('hex')}
PASSWORD_HASH_ALGO = pbkdf2$1000$50
[webhook]
ALLOWED_HOST_LIST = loopback
[indexer]
ISSUE_INDEXER_TYPE = db
[cron]
ENABLED = false
[actions]
ENABLED = false
[log]
MODE = console
LEVEL = Warn
`;

/** Returns the person of a token. */
function personOf(url: string, folder: string, { name, token }: Pick<GiteaUser, 'name' | 'token'>): GiteaUser {
  const git = async (at: string, ...args: readonly string[]): Promise<string> => {
    const identity = ['-c', `user.name=${name}`, '-c', `user.email=${name}@example.test`];
    const env = { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
    return (await run('git', ['-C', at, ...identity, ...args], { env, timeout: 60_000 })).stdout.trim();
  };
  return {
    name,
    token,
    async call<T>(method: string, path: string, body?: object) {
      const headers = { authorization: `token ${token}`, 'content-type': 'application/json', connection: 'close' };
      const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status} ${text.slice(0, 300)}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    async push(repository, branch, text) {
      const remote = url.replace('/api/v1', `/${repository}.git`).replace('://', `://${name}:${token}@`);
      const at = join(folder, `clone-${randomBytes(4).toString('hex')}`);
      await git(folder, 'clone', '--quiet', remote, at);
      await git(at, 'checkout', '--quiet', branch).catch(() => git(at, 'checkout', '--quiet', '-b', branch));
      writeFileSync(join(at, 'file'), text);
      await git(at, 'add', 'file');
      await git(at, 'commit', '--quiet', '-m', text);
      await git(at, 'push', '--quiet', 'origin', branch);
      return git(at, 'rev-parse', 'HEAD');
    },
  };
}

/** Returns a function that creates a person as the administrator of the host, with a token. */
const userOf =
  (url: string, folder: string, admin: GiteaUser) =>
  async (name: string): Promise<GiteaUser> => {
    const password = randomBytes(12).toString('hex');
    const email = `${name}@example.test`;
    await admin.call('POST', '/admin/users', { username: name, email, password, must_change_password: false });
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const response = await fetch(`${url}/users/${name}/tokens`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ name: 'test', scopes: ['all'] }),
    });
    const { sha1: token } = (await response.json()) as { readonly sha1: string };
    return personOf(url, folder, { name, token });
  };

/** Starts a server with an administrator alone, ready when it resolves. @throws an error when it has not been built, and with its log when it does not answer */
export async function startGitea(): Promise<Gitea> {
  const program = built('gitea');
  if (program === undefined) throw new Error('gitea is not built: npx node test/system/clients/build.ts gitea');
  const scratch = createScratch('gitea');
  const { folder } = scratch;
  const [port = 0] = await freePorts(1);
  const config = join(folder, 'app.ini');
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(config, configOf({ folder, program, port }), { mode: 0o600 });
  const command = join(program, 'gitea');
  const env = { ...process.env, HOME: home, GITEA_WORK_DIR: folder, GITEA_CUSTOM: join(folder, 'custom') };
  const settings = [`HOME=${home}`, `GITEA_WORK_DIR=${folder}`, `GITEA_CUSTOM=${env.GITEA_CUSTOM}`];
  const url = `http://${host}:${port}/api/v1`;
  const args = [...settings, command, 'web', '--config', config];
  const started = await startProcess({ name: 'gitea', command: '/usr/bin/env', args, folder });
  const close = async (): Promise<void> => {
    await started.kill();
    scratch.remove();
  };
  try {
    const ask = async () => {
      if (started.ending !== undefined) throw new HopelessError(`gitea ${started.ending}:\n${started.lastWords()}`);
      return (await fetch(`${url}/version`, { headers: { connection: 'close' } })).ok || undefined;
    };
    const message = (error: unknown) => `gitea does not answer (${error}):\n${started.lastWords()}`;
    await until(ask, { deadline: 120_000, message });
    const account = ['--username', 'root', '--email', 'root@example.test', '--random-password', '--admin'];
    const token = ['--access-token', '--access-token-name', 'test', '--access-token-scopes', 'all'];
    const create = ['admin', 'user', 'create', '--config', config, ...account, ...token];
    const { stdout } = await run(command, create, { env, timeout: 120_000 });
    const found = /\b[0-9a-f]{40}\b/.exec(stdout)?.[0];
    if (found === undefined) throw new Error(`gitea tells no token of its administrator:\n${stdout}`);
    const admin = personOf(url, home, { name: 'root', token: found });
    return {
      url,
      admin,
      user: userOf(url, home, admin),
      pause: () => started.pause(),
      resume: () => started.resume(),
      lastWords: () => started.lastWords(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
