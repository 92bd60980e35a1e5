/** Writes the credentials of a real control plane. */

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ApiAddress } from './api.ts';

/** Writes the files that kube-apiserver reads; returns the tokens of the administrator and of the restricted user. */
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

/** Certificates that kube-apiserver writes: its own, followed by that of the authority it generated for it. */
const chainOf = (folder: string): readonly string[] =>
  readFileSync(join(folder, 'certificates', 'apiserver.crt'), 'utf8').match(
    /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n/gs,
  ) ?? [];

/** The only certificate with a known key; it has to sign others, although clients would not trust these. */
export const signerOf = (folder: string): string => chainOf(folder)[0] ?? '';

/** Authority of kube-apiserver's certificate. Throws until it exists. */
export function caOf(folder: string): string {
  const [, ca] = chainOf(folder);
  if (ca === undefined) throw new Error(`no authority yet in ${folder}/certificates/apiserver.crt`);
  return ca;
}

/** Kubeconfig of the administrator. */
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
