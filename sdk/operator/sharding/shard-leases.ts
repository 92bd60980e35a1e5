/** Leases of a ring's shards and the states derived from them. */

import type { Logger } from 'pino';
import { isSameJson } from '../../api/json.ts';
import { Lease } from '../../api/kinds.ts';
import { isOlder } from '../../client/cache/resource-version.ts';
import type { Client } from '../../client/client.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import type { Clock } from '../../clock.ts';
import { done, type Request, type Result, requeueAfter } from '../../reconcile/reconciler.ts';
import { createInformerController } from '../controller/controller.ts';
import { nextTransitions } from '../lease-bounds.ts';
import type { Runnable } from '../operator.ts';
import { isShardName, ringLabel, shardLeaseHolder } from './shard-labels.ts';
import { isAvailable, leaseDurationOf, type ShardState, shardStateOf, type TimedState } from './shard-state.ts';

/** Options of {@link createShardLeases}. */
export interface ShardLeasesOptions {
  readonly client: Client;
  readonly ring: string;
  /** Namespace of the Leases. */
  readonly namespace: string;
  /** Reports whether this process acquires the Leases of dead shards and deletes those of orphaned ones. */
  readonly isManagingLeases: () => boolean;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly logger?: Logger | undefined;
}

/** Leases of a ring's shards. */
export interface ShardLeases extends Runnable {
  /** Reads all Leases from the server, so that every shard with previously assigned objects is known. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Returns the names of the shards that objects may be assigned to, sorted. */
  available(): readonly string[];
  /** Returns a signal that aborts with the next change of {@link available}. */
  changed(): AbortSignal;
  /** Reports whether no shard of that name can run objects; an unknown one is read from the server. */
  isGone(name: string, signal: AbortSignal): Promise<boolean>;
}

/** Last observed Lease, the monotonic ms when its spec was first observed, and the derived state. */
interface ObservedLease {
  readonly lease: Lease;
  readonly since: number;
  readonly state: ShardState;
}

class InformedLeases implements ShardLeases {
  readonly name: string;
  readonly #options: ShardLeasesOptions;
  readonly #controller: ReturnType<typeof createInformerController<Lease>>;
  readonly #leases = new Map<string, ObservedLease>();
  #changed = new AbortController();

  constructor(options: ShardLeasesOptions) {
    const { client, ring, namespace, clock, random, logger } = options;
    this.name = `leases of ${ring}`;
    this.#options = options;
    this.#controller = createInformerController({
      client,
      kind: Lease,
      name: this.name,
      selection: { namespace, labels: `${ringLabel}=${ring}` },
      reconciler: (request) => this.#reconcile(request),
      clock,
      ...(random && { random }),
      ...(logger && { logger }),
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#controller.run(signal);
  }

  available(): readonly string[] {
    const usable = [...this.#leases].filter(([name, { state }]) => isAvailable(state) && isShardName(name));
    return usable.map(([name]) => name).sort();
  }

  changed(): AbortSignal {
    return this.#changed.signal;
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const { client, ring, namespace } = this.#options;
    const { items } = await client.list(Lease, { namespace, labels: `${ringLabel}=${ring}`, signal });
    for (const lease of items) this.#observe(lease);
    for (const { lease } of this.#leases.values()) this.#controller.enqueue(lease.metadata);
  }

  async isGone(name: string, signal: AbortSignal): Promise<boolean> {
    const { client, ring, namespace } = this.#options;
    if (!isShardName(name)) return true;
    const lease = this.#leases.has(name)
      ? undefined
      : await ignoreNotFound(client.get(Lease, { namespace, name }, { signal }));
    if (lease?.metadata.labels?.[ringLabel] === ring) this.#observe(lease);
    const known = this.#leases.get(name);
    return known === undefined || !isAvailable(known.state);
  }

  async #reconcile({ key, object, client, signal }: Request<Lease>): Promise<Result> {
    const { name } = key;
    const known = this.#leases.get(name);
    // The shard of a deleted Lease may still run: the last known Lease has to expire like one that is not renewed.
    const lease = object ?? (known !== undefined && isAvailable(known.state) ? known.lease : undefined);
    if (lease === undefined) this.#leases.delete(name);
    if (lease === undefined) return done;
    const { state, changesAfter } = this.#observe(lease);
    if (changesAfter !== undefined) return requeueAfter(Math.max(1, Math.ceil(changesAfter)));
    if (!this.#options.isManagingLeases()) return done;
    if (state === 'orphaned') {
      const { resourceVersion } = lease.metadata;
      await client.delete(Lease, key, { signal, ...(resourceVersion && { preconditions: { resourceVersion } }) });
    } else await this.#acquire(lease, object !== undefined, { client, signal });
    return done;
  }

  /** Records an observed Lease, unless a newer one is known, and returns the current state of its shard. */
  #observe(shown: Lease): TimedState {
    const { name, resourceVersion } = shown.metadata;
    const known = this.#leases.get(name);
    const lease =
      known !== undefined && isOlder(resourceVersion, known.lease.metadata.resourceVersion) ? known.lease : shown;
    const now = this.#options.clock.monotonic();
    const since = known !== undefined && isSameJson(known.lease.spec, lease.spec) ? known.since : now;
    const timed = shardStateOf(lease, now - since);
    this.#record(name, { lease, since, state: timed.state });
    return timed;
  }

  /** Acquires the Lease of a shard, so that the shard cannot renew it any more. @throws ConflictError if the shard has renewed it */
  async #acquire(
    lease: Lease,
    exists: boolean,
    { client, signal }: Pick<Request<Lease>, 'client' | 'signal'>,
  ): Promise<void> {
    const now = new Date(this.#options.clock.now()).toISOString().replace('Z', '000Z');
    const spec = {
      holderIdentity: shardLeaseHolder,
      leaseDurationSeconds: Math.ceil((2 * leaseDurationOf(lease.spec)) / 1000),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: nextTransitions(lease.spec?.leaseTransitions),
    };
    const { name, namespace, labels } = lease.metadata;
    if (exists) await client.update(Lease, { ...lease, spec }, { signal });
    else
      await client.create(
        Lease,
        { metadata: { name, ...(namespace && { namespace }), ...(labels && { labels }) }, spec },
        { signal },
      );
  }

  #record(name: string, next: ObservedLease): void {
    const before = this.#leases.get(name)?.state;
    this.#leases.set(name, next);
    if (before === next.state) return;
    this.#options.logger?.info({ shard: name, state: next.state }, 'shard');
    if ((before !== undefined && isAvailable(before)) === isAvailable(next.state)) return;
    this.#changed.abort();
    this.#changed = new AbortController();
  }
}

/**
 * Creates the observation of a ring's shard Leases.
 *
 * # Guarantees
 * Ages are measured on the monotonic clock of this process, from the observation of a change of a Lease, so clock skew has no effect.
 * A shard that does not renew its Lease counts as dead only after this process has acquired the Lease: the shard cannot renew it any more, and it has
 * stopped its controllers before, if it runs as `withLeaderElection` does.
 */
export const createShardLeases = (options: ShardLeasesOptions): ShardLeases => new InformedLeases(options);
