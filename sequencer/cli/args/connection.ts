/** Options that select the cluster of a command. */

import { sealSecretName } from '../../../sdk/host/index.ts';
import { type Connection, loadConnection } from '../../../sdk/index.ts';
import { contextOption, type Invocation, type Option } from './command.ts';

/** Options that select the cluster of a command. */
export const connectionOptions = {
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    description: 'kubeconfig of the cluster (default: KUBECONFIG, ~/.kube/config)',
  },
  context: contextOption,
} as const satisfies Readonly<Record<string, Option>>;

/** Options of commands that sign their writes to a workspace with the operator's key. */
export const signingOptions = {
  namespace: {
    type: 'string',
    value: 'NAME',
    description: 'namespace of the workspace (default: that of the kubeconfig, or default)',
  },
  'operator-namespace': {
    type: 'string',
    value: 'NAME',
    description: `namespace of the Secret ${sealSecretName} with the signing key (default: that of the kubeconfig, or default)`,
  },
  ...connectionOptions,
} as const satisfies Readonly<Record<string, Option>>;

/** Loads the connection of `--kubeconfig` and `--context`. @throws UserError when the kubeconfig cannot be used */
export function connectionOf({ kubeconfig, context }: Invocation['values']): Promise<Connection> {
  return loadConnection({
    env: process.env,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
}
