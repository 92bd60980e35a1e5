/** Loads the operator's seal from its Secret. */

import { randomBytes } from 'node:crypto';
import { Namespace, Secret } from '../api/kinds.ts';
import type { ObjectKey } from '../api/object.ts';
import type { Client } from '../client/client.ts';
import { ifThere } from '../client/if-there.ts';
import { AlreadyExistsError, ForbiddenError, UserError } from '../errors.ts';
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
      hint: `put a key of ${keyLength} random bytes there, or delete the Secret: a new one is made, and ids that only annotations hold are not believed any more`,
    });
  return keys;
}

const newSecret = ({ name, namespace }: ObjectKey) => ({
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  data: { 'key-1': randomBytes(keyLength).toString('base64') },
});

async function secretFor(client: Client, key: ObjectKey): Promise<Secret> {
  const found = await ifThere(client.get(Secret, key));
  if (found !== undefined) return found;
  try {
    return await client.create(Secret, newSecret(key));
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    return client.get(Secret, key);
  }
}

/** Resolves with the response, or undefined when a permission is missing. */
async function ifAllowed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}

/**
 * Loads the operator's seal with the keys of the Secret `sequencer-seal` of this namespace, which is created with a random key if missing.
 * A second key that is added signs from the next start on; older ones still verify.
 * Without permission to read or create it, the seal has no key: records in metadata are not trusted.
 * @throws UserError E#3010 for an invalid Secret; NotFoundError when the namespace does not exist, UnreachableError
 */
export async function loadSeal(client: Client, namespace: string): Promise<Seal> {
  const system = await ifAllowed(ifThere(client.get(Namespace, { name: 'kube-system' })));
  const secret = await ifAllowed(secretFor(client, { namespace, name: sealSecretName }));
  const keys = secret === undefined ? [] : keysOf(secret, `${namespace}/${sealSecretName}`);
  return createSeal(system?.metadata.uid ?? '', keys);
}
