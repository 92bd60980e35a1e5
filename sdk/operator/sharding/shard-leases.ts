/** Follows the Leases of a ring's shards: which of them there are, and how they are. */

import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { Lease } from '../../api/kinds.ts';
import { isOlder } from '../../client/cache/resource-version.ts';
import type { Client } from '../../client/client.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import type { Clock } from '../../clock.ts';
import { done, type Request, type Result, requeueAfter } from '../../reconcile/reconciler.ts';
import { createInformerController } from '../controller/controller.ts';
import type { Runnable } from '../operator.ts';
import { isShardName, leaseTaker, ringLabel } from './shard-labels.ts';
import { isAvailable, leaseDurationOf, type ShardState, shardStateOf, type TimedState } from './shard-state.ts';

/** Options of {@link createShardLeases}. */
export interface ShardLeasesOptions {
  readonly client: Client;
  readonly ring: string;
  /** Namespace of the Leases. */
  readonly namespace: string;
  /** Reports whether this process takes the Leases of dead shards away, and deletes those of orphaned ones. */
  readonly isTending: () => boolean;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly logger?: Logger | undefined;
}

/** Leases of a ring's shards. */
export interface ShardLeases extends Runnable {
  /** Reads all Leases from the server: afterwards no shard is missing that had objects assigned before. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Returns the names of the shards that objects may be assigned to, sorted. */
  available(): readonly string[];
  /** Returns a signal that aborts with the next change of {@link available}. */
  changed(): AbortSignal;
  /** Reports whether no shard of that name may run anything; for one that was never seen the server is asked. */
  isGone(name: string, signal: AbortSignal): Promise<boolean>;
}

/** Lease as it was seen last, and the monotonic ms when that was new. */
interface KnownLease {
  readonly lease: Lease;
  readonly since: number;
  readonly state: ShardState;
}

class FollowedLeases implements ShardLeases {
  readonly name: string;
  readonly #options: ShardLeasesOptions;
  readonly #controller: ReturnType<typeof createInformerController<Lease>>;
  readonly #seen = new Map<string, KnownLease>();
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
    const usable = [...this.#seen].filter(([name, { state }]) => isAvailable(state) && isShardName(name));
    return usable.map(([name]) => name).sort();
  }

  changed(): AbortSignal {
    return this.#changed.signal;
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const { client, ring, namespace } = this.#options;
    const { items } = await client.list(Lease, { namespace, labels: `${ringLabel}=${ring}`, signal });
    for (const lease of items) this.#see(lease);
    for (const { lease } of this.#seen.values()) this.#controller.enqueue(lease.metadata);
  }

  async isGone(name: string, signal: AbortSignal): Promise<boolean> {
    const { client, ring, namespace } = this.#options;
    if (!isShardName(name)) return true;
    const lease = this.#seen.has(name)
      ? undefined
      : await ignoreNotFound(client.get(Lease, { namespace, name }, { signal }));
    if (lease?.metadata.labels?.[ringLabel] === ring) this.#see(lease);
    const known = this.#seen.get(name);
    return known === undefined || !isAvailable(known.state);
  }

  async #reconcile({ key, object, client, signal }: Request<Lease>): Promise<Result> {
    const { name } = key;
    const known = this.#seen.get(name);
    // A Lease that was deleted while its shard may still run is waited for as one that is not renewed.
    const lease = object ?? (known !== undefined && isAvailable(known.state) ? known.lease : undefined);
    if (lease === undefined) this.#seen.delete(name);
    if (lease === undefined) return done;
    const { state, changesAfter } = this.#see(lease);
    if (changesAfter !== undefined) return requeueAfter(Math.max(1, Math.ceil(changesAfter)));
    if (!this.#options.isTending()) return done;
    if (state === 'orphaned') {
      const { resourceVersion } = lease.metadata;
      await client.delete(Lease, key, { signal, ...(resourceVersion && { preconditions: { resourceVersion } }) });
    } else await this.#take(lease, object !== undefined, { client, signal });
    return done;
  }

  /** Notes a Lease as the server has shown it, unless a newer one is known, and returns the state of its shard now. */
  #see(shown: Lease): TimedState {
    const { name, resourceVersion } = shown.metadata;
    const known = this.#seen.get(name);
    const lease =
      known !== undefined && isOlder(resourceVersion, known.lease.metadata.resourceVersion) ? known.lease : shown;
    const now = this.#options.clock.monotonic();
    const since = known !== undefined && isDeepStrictEqual(known.lease.spec, lease.spec) ? known.since : now;
    const timed = shardStateOf(lease, now - since);
    this.#note(name, { lease, since, state: timed.state });
    return timed;
  }

  /** Takes the Lease of a shard away, so that the shard cannot renew it any more. @throws ConflictError where it has */
  async #take(
    lease: Lease,
    exists: boolean,
    { client, signal }: Pick<Request<Lease>, 'client' | 'signal'>,
  ): Promise<void> {
    const now = new Date(this.#options.clock.now()).toISOString().replace('Z', '000Z');
    const spec = {
      holderIdentity: leaseTaker,
      leaseDurationSeconds: Math.ceil((2 * leaseDurationOf(lease.spec)) / 1000),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + 1,
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

  #note(name: string, next: KnownLease): void {
    const before = this.#seen.get(name)?.state;
    this.#seen.set(name, next);
    if (before === next.state) return;
    this.#options.logger?.info({ shard: name, state: next.state }, 'shard');
    if ((before !== undefined && isAvailable(before)) === isAvailable(next.state)) return;
    this.#changed.abort();
    this.#changed = new AbortController();
  }
}

/**
 * Follows the Leases of a ring's shards.
 *
 * # Guarantees
 * Ages are measured on this process's own monotonic clock, from when a change of a Lease was seen: clock skew does not matter.
 * A shard that has not renewed its Lease counts as dead only when the Lease was taken from it: from then on it cannot renew it, and it has stopped its
 * controllers before, if it runs as `withLeaderElection` does.
 */
export const createShardLeases = (options: ShardLeasesOptions): ShardLeases => new FollowedLeases(options);
