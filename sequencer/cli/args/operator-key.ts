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
export async function requireOperatorSeal(client: Client, namespace: string, command: string): Promise<Seal> {
  const seal = await readSeal(client, namespace);
  if (seal?.sign('') !== undefined) return seal;
  const what = seal === undefined ? 'there is no' : 'no right to read the';
  throw new UserError(
    'E#3011',
    `sequencer ${command}: ${what} Secret ${sealSecretName} in namespace "${namespace}", which holds the operator’s signing key`,
    {
      hint: 'name the operator’s namespace with --operator-namespace NAME; if the Secret was lost, start the operator: it creates a new key',
    },
  );
}
