/** Options shared by the commands that run an in-memory cluster. */

import { UserError } from '../../../sdk/index.ts';
import type { Cluster, ClusterOptions } from '../../../test/cluster/index.ts';
import type { Invocation, Option } from './command.ts';

/** Options of an in-memory cluster in a separate process. */
export const clusterOptions = {
  controllers: {
    type: 'string',
    value: 'all|NAMES',
    description: 'controllers to run: all (pods run, too), or names such as deployment,job=off (default: none)',
  },
  version: {
    type: 'string',
    value: '1.N',
    description: 'Kubernetes version, 1.27 to 1.35 (default: 1.34)',
    choices: ['1.27', '1.28', '1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.35'],
  },
} as const satisfies Readonly<Record<string, Option>>;

/** Options that make a run of an in-memory cluster reproducible. */
export const reproducibleOptions = {
  seed: {
    type: 'string',
    value: 'SEED',
    description: 'repeat the uids, generated names and addresses of the run that printed this seed (default: new ones)',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    description:
      'token of the administrator; other users of this machine can see it in the process list (default: a new one)',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** Parses {@link reproducibleOptions}; a seed of up to 15 digits is a number. */
export function reproducibleFrom({ seed, token }: Invocation['values']): Pick<ClusterOptions, 'seed' | 'adminToken'> {
  return {
    ...(seed !== undefined && { seed: /^-?\d{1,15}$/.test(seed) ? Number(seed) : seed }),
    ...(token !== undefined && { adminToken: token }),
  };
}

/** Creates the cluster of a command; its code is loaded on demand. @throws UserError E#2001 for invalid options */
export async function clusterFor(command: string, options: ClusterOptions): Promise<Cluster> {
  const { createCluster } = await import('../../../test/cluster/index.ts');
  return createCluster(options).catch((error) => {
    if (!(error instanceof TypeError)) throw error;
    const message = error.message.replace(/^adminToken /, '--token '); // the option’s name in a program
    throw new UserError('E#2001', `sequencer ${command}: ${message}`, { cause: error });
  });
}
