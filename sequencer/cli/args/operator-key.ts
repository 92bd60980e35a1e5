/** Reads the operator's key for commands that sign. */

import { readSeal, type Seal, sealSecretName } from '../../../sdk/host/index.ts';
import { type Client, type Connection, UserError } from '../../../sdk/index.ts';
import type { Invocation } from './command.ts';

/** The namespace that the operator runs in, as far as `--operator-namespace` or the kubeconfig says. */
export const operatorNamespaceOf = (
  { 'operator-namespace': named }: Invocation['values'],
  { namespace = 'default' }: Pick<Connection, 'namespace'>,
): string => named ?? namespace;

/**
 * Returns the seal of the operator, whose key must exist: the operator would not trust the signatures of a new key.
 * @throws UserError E#3011 when there is no key in this namespace, or the right to read it is missing; E#3010
 */
export async function operatorsSeal(client: Client, namespace: string, command: string): Promise<Seal> {
  const seal = await readSeal(client, namespace);
  if (seal?.sign('') !== undefined) return seal;
  const what = seal === undefined ? 'there is no' : 'no right to read the';
  throw new UserError(
    'E#3011',
    `sequencer ${command}: ${what} Secret ${sealSecretName} in namespace "${namespace}", with whose key the operator signs`,
    {
      hint: '--operator-namespace NAME names the namespace that the operator runs in; nothing is signed with a key of another. A lost one: start the operator, which makes a new one',
    },
  );
}
