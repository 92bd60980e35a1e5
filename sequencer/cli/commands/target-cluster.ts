/** Opens the cluster of a command: in memory, or a given one. */

import { type Client, type Clock, createClient, ensureCrds, loadConnection, Workspace } from '../../../sdk/index.ts';
import type { Cluster } from '../../../test/cluster/index.ts';
import { type EmbeddedCluster, type StartOptions, startCluster } from './cluster.ts';

/** Cluster of a command: in memory, or an existing one. */
export interface TargetCluster extends AsyncDisposable {
  readonly client: Client;
  /** Connects another client, with its own User-Agent. */
  readonly connect: (userAgent: string) => Client;
  /** In-memory cluster, if it is one. */
  readonly cluster: Cluster | undefined;
  /** Namespace of objects without one. */
  readonly namespace: string;
  /** Description for the user. */
  readonly about: readonly string[];
}

/** Options of {@link openTargetCluster}. */
export interface TargetClusterOptions {
  /** Kubeconfig file; with neither it nor `context`, an in-memory cluster is started. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** Options of an in-memory cluster; ignored for others. */
  readonly memory?: Pick<StartOptions, 'seed' | 'adminToken' | 'control'>;
  /** Installs the CRDs in an existing cluster; one in memory always has them. @default true */
  readonly install?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Delays of demonstration pods, similar to real ones with cached images, so that the progress is visible. */
const kubelet = { pendingDelay: 300, readyDelay: 900, stopDelay: 600 };

/** ms until a cluster must respond for the first time and establish the CRDs. */
const firstResponseTimeout = 10_000;

async function versionOf(client: Client, signal: AbortSignal): Promise<string> {
  const answer = await client.raw('GET', '/version', undefined, { signal, deadline: firstResponseTimeout });
  return (answer as { readonly gitVersion?: string }).gitVersion ?? 'unknown version';
}

async function connectTo(file: string | undefined, { context, clock, signal, install = true }: TargetClusterOptions) {
  const connection = await loadConnection({ kubeconfig: file, context, env: process.env, clock });
  const connect = (userAgent: string) => createClient({ connection, clock, userAgent });
  const client = createClient({ connection, clock });
  try {
    const version = await versionOf(client, signal);
    if (install) await ensureCrds(client, [Workspace], { signal, clock });
    return { client, connect, version, namespace: connection.namespace };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Starts a cluster in memory, unless another one is named. */
async function startEmbedded({
  kubeconfig,
  context,
  memory,
}: TargetClusterOptions): Promise<EmbeddedCluster | undefined> {
  return kubeconfig === undefined && context === undefined ? startCluster({ ...memory, kubelet }) : undefined;
}

/** Describes where a cluster in memory is. */
const embeddedLines = ({ kubeconfig, seed }: EmbeddedCluster): readonly string[] => [
  `kubeconfig  ${kubeconfig}`,
  `seed        ${seed}`,
];

/** Returns the command that shows the workspaces of a cluster. */
function kubectlLine(file: string | undefined, context: string | undefined): string {
  const flags = [...(file ? ['--kubeconfig', file] : []), ...(context ? ['--context', context] : [])].join(' ');
  return `try         kubectl ${flags} get workspaces --watch`;
}

/**
 * Opens a cluster and, unless disabled, ensures its CRDs.
 * @throws UserError for an unusable kubeconfig, UnreachableError without a response, ForbiddenError without permissions
 */
export async function openTargetCluster(options: TargetClusterOptions): Promise<TargetCluster> {
  const embedded = await startEmbedded(options);
  const file = embedded?.kubeconfig ?? options.kubeconfig;
  try {
    const { client, connect, version, namespace } = await connectTo(file, {
      ...options,
      install: embedded !== undefined || (options.install ?? true),
    });
    return {
      client,
      connect,
      cluster: embedded?.cluster,
      namespace: options.namespace ?? namespace ?? 'default',
      about: [
        `cluster     ${embedded ? 'in memory, ' : ''}${version}, ${client.server}`,
        ...(embedded ? embeddedLines(embedded) : []),
        kubectlLine(file, options.context),
      ],
      async [Symbol.asyncDispose]() {
        await client.close();
        await embedded?.[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await embedded?.[Symbol.asyncDispose]();
    throw error;
  }
}
