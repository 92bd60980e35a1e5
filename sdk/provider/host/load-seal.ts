/** Loads the operator's seal from its Secret. */

import { Namespace, Secret } from '../../api/kinds.ts';
import { keyOf, type ObjectKey } from '../../api/object.ts';
import type { Client } from '../../client/client.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import { AlreadyExistsError, ForbiddenError, UserError } from '../../errors.ts';
import { nodeCrypto } from '../../node-builtins.ts';
import { createSeal, type Seal } from './seal.ts';

/** Name of the Secret with the keys of the operator's seal, in the operator's namespace. */
export const sealSecretName = 'sequencer-seal';

/** Length of a key in bytes. */
const keyLength = 32;

/** Returns the keys in the natural order of their names, `key-9` before `key-10`: the last one signs. */
function keysOf({ data = {} }: Secret, where: string): readonly Uint8Array[] {
  const names = Object.keys(data).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const keys = names.map((name) => Buffer.from(data[name] ?? '', 'base64'));
  const short = names.find((_, index) => keys[index]!.length < keyLength);
  if (short !== undefined || keys.length === 0)
    throw new UserError('E#3010', `Secret ${where}: ${short ?? 'data'} must hold ${keyLength} random bytes`, {
      hint: `put a key of ${keyLength} random bytes there, or delete the Secret: a new one is made, and ids that only annotations hold are no longer accepted`,
    });
  return keys;
}

const newSecret = ({ name, namespace }: ObjectKey) => ({
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  data: { 'key-1': nodeCrypto().randomBytes(keyLength).toString('base64') },
});

async function secretFor(client: Client, key: ObjectKey): Promise<Secret> {
  const found = await ignoreNotFound(client.get(Secret, key));
  if (found !== undefined) return found;
  try {
    return await client.create(Secret, newSecret(key));
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    return client.get(Secret, key);
  }
}

/** Result of a read without the right to it. */
const forbidden = Symbol('forbidden');

/** Returns the answer, or `instead` when a right is missing. */
async function ifAllowed<T, Instead>(answer: Promise<T>, instead: Instead): Promise<T | Instead> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ForbiddenError) return instead;
    throw error;
  }
}

/** Returns the uid of kube-system; empty where it may not be read. */
async function clusterOf(client: Client): Promise<string> {
  const system = await ifAllowed(ignoreNotFound(client.get(Namespace, { name: 'kube-system' })), undefined);
  return system?.metadata.uid ?? '';
}

/**
 * Reads the operator's seal as {@link loadSeal} does, but creates nothing: undefined where there is no Secret `sequencer-seal` in this namespace.
 * @param cluster uid of kube-system, where it is known already @default it is read
 * @throws UserError E#3010 when it holds something else; UnreachableError
 */
export async function readSeal(client: Client, namespace: string, cluster?: string): Promise<Seal | undefined> {
  const key = { namespace, name: sealSecretName };
  const secret = await ifAllowed(ignoreNotFound(client.get(Secret, key)), forbidden);
  if (secret === undefined) return undefined;
  const keys = secret === forbidden ? [] : keysOf(secret, keyOf(key));
  return createSeal(cluster || (await clusterOf(client)), keys);
}

/**
 * Loads the operator's seal, with the keys of the Secret `sequencer-seal` of this namespace, which is created with a random one when it is missing.
 * The key with the last name signs, all of them verify.
 * Where the right to read or make it is missing, the seal has no key: no annotation is trusted.
 * @throws UserError E#3010 when the Secret holds something else; NotFoundError when the namespace is not there, UnreachableError
 */
export async function loadSeal(client: Client, namespace: string): Promise<Seal> {
  const key = { namespace, name: sealSecretName };
  const cluster = await clusterOf(client);
  const secret = await ifAllowed(secretFor(client, key), undefined);
  return createSeal(cluster, secret === undefined ? [] : keysOf(secret, keyOf(key)));
}
