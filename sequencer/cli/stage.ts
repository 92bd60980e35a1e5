import { type Client, type Clock, createClient, ensureCrds, loadConnection, Workspace } from '../../sdk/index.ts';
import { type StartOptions, startCluster } from './cluster.ts';

/** A cluster to play on: its own, or somebody's. */
export interface Stage extends AsyncDisposable {
  readonly client: Client;
  /** For objects that name none. */
  readonly namespace: string;
  /** What to tell people about it. */
  readonly about: readonly string[];
}

/** What {@link openStage} takes. */
export interface StageOptions {
  /** A kubeconfig file; with neither it nor `context`, an in-memory cluster is started. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** What an in-memory cluster has; of no meaning for others. */
  readonly memory?: Pick<StartOptions, 'seed' | 'adminToken'>;
  /** Whether somebody else's cluster is given our CRDs; one in memory always is. @default true */
  readonly install?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Pods of a demonstration take about as long as real ones whose images are there, so that there is something to see. */
const kubelet = { pendingDelay: 300, readyDelay: 900, stopDelay: 600 };

/** ms a cluster may take to answer for the first time, and to establish the CRDs. */
const firstAnswer = 10_000;

async function versionOf(client: Client, signal: AbortSignal): Promise<string> {
  const answer = await client.raw('GET', '/version', undefined, { signal, deadline: firstAnswer });
  return (answer as { readonly gitVersion?: string }).gitVersion ?? 'unknown version';
}

async function clientOf(file: string | undefined, { context, clock, signal, install = true }: StageOptions) {
  const connection = await loadConnection({ kubeconfig: file, context, env: process.env, clock });
  const client = createClient({ connection, clock });
  try {
    const version = await versionOf(client, signal);
    if (install) await ensureCrds(client, [Workspace], { signal, clock });
    return { client, version, namespace: connection.namespace };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Opens a cluster and, unless told otherwise, makes sure that it has our CRDs.
 * @throws UserError for a kubeconfig that cannot be used, UnreachableError when nobody answers, ForbiddenError without the rights
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { kubeconfig, context } = options;
  const embedded =
    kubeconfig === undefined && context === undefined ? await startCluster({ ...options.memory, kubelet }) : undefined;
  const file = embedded?.kubeconfig ?? kubeconfig;
  try {
    const { client, version, namespace } = await clientOf(file, {
      ...options,
      install: embedded !== undefined || (options.install ?? true),
    });
    const flags = [...(file ? ['--kubeconfig', file] : []), ...(context ? ['--context', context] : [])].join(' ');
    return {
      client,
      namespace: options.namespace ?? namespace ?? 'default',
      about: [
        `cluster     ${embedded ? 'in memory, ' : ''}${version}, ${client.server}`,
        ...(embedded ? [`kubeconfig  ${embedded.kubeconfig}`, `seed        ${embedded.seed}`] : []),
        `try         kubectl ${flags} get workspaces --watch`,
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
