/** Converts the flags of a kube-apiserver into options of a cluster. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, UserError } from '../../../sdk/index.ts';
import type { ClusterOptions, ListenOptions, User } from '../../../test/cluster/index.ts';
import { portOf } from '../args/command.ts';
import { lastOf, type ServerFlags, wordsOf } from './server-flags.ts';

/** Options of a cluster and its listener. */
export interface ServerSetup {
  readonly cluster: ClusterOptions;
  readonly listen: Required<Pick<ListenOptions, 'port' | 'host'>> & ListenOptions;
}

const unreadable = (file: string, cause: unknown): UserError =>
  new UserError('E#2002', `cannot read ${file}: ${messageOf(cause)}`, { cause });

const textIn = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error) => {
    throw unreadable(file, error);
  });

const isMissing = (error: unknown): boolean =>
  (error as { readonly cause?: { readonly code?: string } }).cause?.code === 'ENOENT';

/** Returns the serving certificate; undefined when there is none. */
async function identityBy(flags: ServerFlags): Promise<ListenOptions['identity']> {
  const [certificate, key] = [lastOf(flags, 'tls-cert-file'), lastOf(flags, 'tls-private-key-file')];
  if (certificate !== undefined && key !== undefined)
    return { certificate: await textIn(certificate), key: await textIn(key) };
  const folder = lastOf(flags, 'cert-dir');
  if (folder === undefined) return undefined;
  const both = ['apiserver.crt', 'apiserver.key'].map((file) => textIn(join(folder, file)));
  const found = await Promise.all(both).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  return found && { certificate: found[0]!, key: found[1]! };
}

/** Splits one line of CSV into its fields. */
const fieldsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, inQuotes, plain = '']) =>
    inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'),
  );

/** Parses a token file: lines of `token,user,uid,"group,group"`. */
export function tokenUsersIn(text: string): Readonly<Record<string, User>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [token = '', name = '', uid = '', groups = ''] = fieldsOf(line);
      const named = groups.split(',').filter((group) => group !== '');
      return [token, { name, ...(uid !== '' && { uid }), groups: [...named, 'system:authenticated'] }];
    }),
  );
}

/** Reads the files that the flags name. @throws UserError E#2001 for an invalid port, E#2002 for an unreadable file */
export async function serverSetupOf(flags: ServerFlags): Promise<ServerSetup> {
  const file = async (name: string) => {
    const path = lastOf(flags, name);
    return path === undefined ? undefined : textIn(path);
  };
  const [identity, clientAuthorities, tokens] = await Promise.all([
    identityBy(flags),
    file('client-ca-file'),
    file('token-auth-file'),
  ]);
  const issuer = lastOf(flags, 'service-account-issuer');
  const [serviceRange] = wordsOf(flags, 'service-cluster-ip-range');
  return {
    cluster: {
      rbac: wordsOf(flags, 'authorization-mode').includes('RBAC'),
      ...(tokens !== undefined && { tokens: tokenUsersIn(tokens) }),
      ...(issuer !== undefined && { issuer }),
      ...(serviceRange !== undefined && { serviceRange }),
    },
    listen: {
      host: lastOf(flags, 'bind-address') ?? '127.0.0.1',
      port: portOf('kube-apiserver', 'secure-port', lastOf(flags, 'secure-port') ?? '6443'),
      ...(identity && { identity }),
      ...(clientAuthorities !== undefined && { clientAuthorities }),
    },
  };
}
