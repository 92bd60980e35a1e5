/** Shards: replicas that walk concurrently, each with a Lease and its assigned workspaces. */

import type { Logger } from 'pino';
import {
  checkedTimes,
  createSharder,
  createShardLeases,
  ringLabel,
  type Sharder,
  shardNameOf,
} from '../../sdk/host/index.ts';
import {
  type Client,
  type Clock,
  type LeaderTimes,
  type Observer,
  type Runnable,
  Workspace,
  withLeaderElection,
} from '../../sdk/index.ts';
import { instanceName, isOfClass, type OperatorInstance } from './operator-instance.ts';
import { runnableGroup } from './runnable-group.ts';

/** Options of {@link shardOf}. */
export interface ShardOptions extends OperatorInstance {
  readonly client: Client;
  readonly ring: string;
  /** Name of this shard, and of its Lease. */
  readonly shard: string;
  /** Namespace of the Leases. */
  readonly operatorNamespace: string;
  /** Restricts the ring to workspaces of this namespace. @default all */
  readonly namespace?: string | undefined;
  readonly times: LeaderTimes;
  /** Walks the workspaces of this shard. */
  readonly main: Runnable;
  /** Run along with the sharder, in one of the replicas. @default none */
  readonly others?: readonly Runnable[];
  /** ms within which `main` must end. */
  readonly drain: number;
  readonly observer?: Pick<Observer, 'elected'> | undefined;
  readonly clock: Clock;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
}

/** Reduces a workspace to the fields that the sharder reads. */
export const assignable = ({ apiVersion, kind, metadata, spec }: Workspace): Workspace => {
  const { name, namespace, uid, resourceVersion, labels } = metadata;
  const { className } = spec ?? {};
  const kept = { name, namespace, uid, resourceVersion, labels };
  return { apiVersion, kind, metadata: kept, spec: { ...(className !== undefined && { className }) } } as Workspace;
};

/**
 * Creates the runnable of one shard. There are two leader elections:
 * 1. For the Lease of the shard. Its holder reconciles the workspaces that are assigned to the shard.
 * 2. For the Lease of the instance, among the shards that hold their own Lease. Its holder also runs the sharder, which assigns the workspaces of the
 *    ring to the shards, and `others`.
 * @throws TypeError for an invalid name, and if `renewDeadline` and `drain` together exceed two lease durations: a shard without a connection could then
 * reconcile workspaces that were reassigned already; `run` rejects with LeadershipLostError when a Lease is lost
 */
export function shardOf(options: ShardOptions): Runnable {
  const { client, ring, shard, operatorNamespace, namespace, selector, className, times, drain } = options;
  const { main, others = [], observer, clock, random, logger } = options;
  const lease = { namespace: operatorNamespace, name: instanceName(options) };
  if (shard === lease.name || shard !== shardNameOf(shard))
    throw new TypeError(
      `shards: shard needs a valid pod name other than ${lease.name}; found ${JSON.stringify(shard)}`,
    );
  const { leaseDuration, renewDeadline } = checkedTimes(times);
  if (renewDeadline + drain > 2 * leaseDuration)
    throw new TypeError(
      `shards: renewDeadline (${renewDeadline}) and drain (${drain}) together must be at most two lease durations (${2 * leaseDuration})`,
    );
  const common = { clock, ...(random && { random }), ...(logger && { logger }) };
  const electing = { ...times, ...common, client, drain, ...(observer && { observer }) };
  let sharder: Sharder | undefined;
  const isManagingLeases = () => sharder?.isAssigning() === true;
  const leases = createShardLeases({ ...common, client, ring, namespace: operatorNamespace, isManagingLeases });
  const selection = {
    ...(namespace !== undefined && { namespace }),
    ...(selector !== undefined && { labels: selector }),
  };
  const isSharded = (workspace: Workspace) => isOfClass(workspace, className);
  const assigning: Runnable = {
    name: 'sharder',
    async run(signal) {
      const { default: xxhash } = await import('xxhash-wasm');
      const { h64: hash } = await xxhash();
      const watched = { client, kind: Workspace, ring, selection, isSharded, project: assignable };
      sharder = createSharder({ ...common, ...watched, leases, hash });
      await sharder.run(signal);
    },
  };
  const elected = withLeaderElection({
    ...electing,
    name: 'election of the sharder',
    lease,
    identity: `${shard}.${crypto.randomUUID().slice(0, 8)}`,
    controllers: [runnableGroup(assigning, others, drain)],
  });
  return withLeaderElection({
    ...electing,
    name: 'shard',
    lease: { namespace: operatorNamespace, name: shard },
    identity: shard,
    processId: crypto.randomUUID(),
    labels: { [ringLabel]: ring },
    controllers: [main, leases, elected],
  });
}
