import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ApiAddress } from './api.ts';

/** The files that kube-apiserver reads; answers the tokens of the administrator and of the restricted user. */
export function writeCredentials(folder: string): readonly [string, string] {
  const tokens = [randomUUID(), randomUUID()] as const;
  const users = [`${tokens[0]},admin,admin,"system:masters"`, `${tokens[1]},restricted,restricted`];
  writeFileSync(join(folder, 'tokens.csv'), `${users.join('\n')}\n`, { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(join(folder, 'service-account.key'), privateKey, { mode: 0o600 });
  return tokens;
}

/** kube-apiserver writes its certificate followed by that of the authority it made up for it. */
const chainOf = (folder: string): readonly string[] =>
  readFileSync(join(folder, 'certificates', 'apiserver.crt'), 'utf8').match(
    /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n/gs,
  ) ?? [];

/** The only certificate whose key is known, which has to sign others, whatever these are worth. */
export const signerOf = (folder: string): string => chainOf(folder)[0] ?? '';

/** The authority of kube-apiserver's certificate. Throws until it is there. */
export function caOf(folder: string): string {
  const [, ca] = chainOf(folder);
  if (ca === undefined) throw new Error(`no authority yet in ${folder}/certificates/apiserver.crt`);
  return ca;
}

/** For the administrator. */
export function kubeconfigOf({ url, token, ca }: ApiAddress): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'real',
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
    clusters: [{ name: 'real', cluster: { server: url, 'certificate-authority-data': btoa(ca) } }],
    users: [{ name: 'admin', user: { token } }],
  });
}
