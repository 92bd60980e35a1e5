/** Secrets of a workspace: the certificate with its private key, and the private keys of its orders. */

import { ignoreNotFound, isOwnedBy, type ProviderController, Secret, secretNameOf } from '../../sdk/index.ts';
import { isKey, leafOf, newKey } from './certificates.ts';
import { keyName, type OrderRecord } from './order-records.ts';

type SecretsController = Pick<ProviderController, 'get' | 'create' | 'patch' | 'delete' | 'workspace'>;

/** Returns the name of the Secret of type `kubernetes.io/tls`. */
export const tlsSecretName = ({ workspace }: Pick<ProviderController, 'workspace'>): string =>
  secretNameOf(workspace, 'Certificate');

const keysSecretName = ({ workspace }: SecretsController): string => secretNameOf(workspace, 'Certificate', 'keys');

const textIn = (data: Readonly<Record<string, string>> | undefined, name: string): string =>
  Buffer.from(data?.[name] ?? '', 'base64').toString('utf8');

/** Returns the data of a Secret that the workspace owns; undefined without one. Secrets of other owners are not touched. */
async function dataOf(controller: SecretsController, name: string): Promise<Secret['data']> {
  const secret = await ignoreNotFound(controller.get(Secret, { name }));
  return secret !== undefined && isOwnedBy(secret, controller.workspace) ? (secret.data ?? {}) : undefined;
}

/** Returns the private key of an order; undefined without a valid one. */
export async function privateKeyOf(controller: SecretsController, order: OrderRecord): Promise<string | undefined> {
  const key = textIn(await dataOf(controller, keysSecretName(controller)), keyName(order));
  return isKey(key) ? key : undefined;
}

/** Returns the private key of an order, after it was kept. @throws AlreadyExistsError when the Secret's name is taken */
export async function keptKey(controller: SecretsController, order: OrderRecord): Promise<string> {
  const name = keysSecretName(controller);
  const { data } = await controller.create(Secret, { metadata: { name }, type: 'Opaque' });
  const storedKey = textIn(data, keyName(order));
  if (isKey(storedKey)) return storedKey;
  const key = newKey();
  await controller.patch(Secret, { name }, { type: 'merge', value: { stringData: { [keyName(order)]: key } } });
  return key;
}

/** Deletes the private keys of all other orders. */
export async function dropOtherKeys(controller: SecretsController, order: OrderRecord): Promise<void> {
  const name = keysSecretName(controller);
  const others = Object.keys((await dataOf(controller, name)) ?? {}).filter((one) => one !== keyName(order));
  const data = Object.fromEntries(others.map((one) => [one, null]));
  if (others.length > 0) await controller.patch(Secret, { name }, { type: 'merge', value: { data } });
}

/** Reports whether the Secret holds the certificate with this fingerprint, and this key. */
export async function holdsCertificate(
  controller: SecretsController,
  fingerprint: string,
  key: string,
): Promise<boolean> {
  const data = await dataOf(controller, tlsSecretName(controller));
  return leafOf(textIn(data, 'tls.crt'))?.fingerprint === fingerprint && textIn(data, 'tls.key') === key;
}

/** Writes certificate and key into the Secret in one request. @throws AlreadyExistsError when its name is taken */
export async function writeCertificate(controller: SecretsController, chain: string, key: string): Promise<void> {
  const name = tlsSecretName(controller);
  const stringData = { 'tls.crt': chain, 'tls.key': key };
  const { data } = await controller.create(Secret, { metadata: { name }, type: 'kubernetes.io/tls', stringData });
  if (textIn(data, 'tls.crt') === chain && textIn(data, 'tls.key') === key) return;
  await controller.patch(Secret, { name }, { type: 'merge', value: { stringData } });
}

/** Deletes both Secrets, as far as they are the workspace's. */
export async function deleteSecrets(controller: SecretsController): Promise<void> {
  for (const name of [tlsSecretName(controller), keysSecretName(controller)])
    if ((await dataOf(controller, name)) !== undefined) await controller.delete(Secret, { name });
}
