import { type Connection, loadConnection, sealSecretName } from '../../sdk/index.ts';
import { contextOption, type Invocation, type Option } from './command.ts';

/** Which cluster a command talks to. */
export const connectionOptions = {
  kubeconfig: { type: 'string', value: 'FILE', description: 'which cluster (default: KUBECONFIG, ~/.kube/config)' },
  context: contextOption,
} as const satisfies Readonly<Record<string, Option>>;

/** What commands take that sign, with the operator's key, what they write to a workspace. */
export const signingOptions = {
  namespace: {
    type: 'string',
    value: 'NAME',
    description: 'the workspace’s (default: that of the kubeconfig, or default)',
  },
  'operator-namespace': {
    type: 'string',
    value: 'NAME',
    description: `where the Secret ${sealSecretName} is, whose key signs it (default: that of the kubeconfig, or default)`,
  },
  ...connectionOptions,
} as const satisfies Readonly<Record<string, Option>>;

/** The connection that `--kubeconfig` and `--context` name. @throws UserError when the kubeconfig leads nowhere */
export function connectionOf({ kubeconfig, context }: Invocation['values']): Promise<Connection> {
  return loadConnection({
    env: process.env,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
}
