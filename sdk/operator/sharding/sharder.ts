/** Sharder: assigns objects to the shards of a ring. */

import type { Logger } from 'pino';
import type { Kind } from '../../api/kind.ts';
import { type KubeObject, keyOf } from '../../api/object.ts';
import { add, pointer, test } from '../../api/patch.ts';
import type { StoreOptions } from '../../client/cache/store.ts';
import type { Client, Selection } from '../../client/client.ts';
import { patchTested } from '../../client/patch-tested.ts';
import type { Clock } from '../../clock.ts';
import { ForbiddenError, NotFoundError, StaleError } from '../../errors.ts';
import { done, type Reconciler } from '../../reconcile/reconciler.ts';
import { backoffDelay, backoffs } from '../../retry.ts';
import { messageOf } from '../../thrown.ts';
import { createInformerController } from '../controller/controller.ts';
import type { Runnable } from '../operator.ts';
import { assignmentOf, createHashRing, type Hash, type HashRing, hashKeyOf, roundRobin } from './assignment.ts';
import { type ShardLabels, shardLabelsOf } from './shard-labels.ts';
import type { ShardLeases } from './shard-leases.ts';

/** Options of {@link createSharder}. */
export interface SharderOptions<T extends KubeObject> extends Pick<StoreOptions<T>, 'project'> {
  /** Client of the sharder. Must differ from the client whose own writes the shard's controller ignores. */
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly ring: string;
  /** Selects the objects of the ring. @default all */
  readonly selection?: Selection;
  /** Reports whether an object is assigned to shards. @default all are */
  readonly isSharded?: (object: T) => boolean;
  readonly leases: Pick<ShardLeases, 'available' | 'changed' | 'isGone' | 'refresh'>;
  readonly hash: Hash;
  /** ms between two checks of all assignments, besides those after a change of the shards. @default 300 000 */
  readonly resyncInterval?: number;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly logger?: Logger | undefined;
}

/** Number of objects whose labels are changed concurrently. */
const workers = 10;

const andSelectors = (...selectors: readonly (string | undefined)[]): string =>
  selectors.filter((one) => one !== undefined && one !== '').join(',');

/** Runnable that assigns the objects of a ring. */
export interface Sharder extends Runnable {
  /** Reports whether this sharder runs and no external sharder has the ring. */
  isAssigning(): boolean;
}

class RingSharder<T extends KubeObject> implements Sharder {
  readonly name: string;
  readonly #options: SharderOptions<T>;
  readonly #labels: ShardLabels;
  #isAssigning = false;

  constructor(options: SharderOptions<T>) {
    this.name = `sharder of ${options.ring}`;
    this.#options = options;
    this.#labels = shardLabelsOf(options.ring);
  }

  isAssigning(): boolean {
    return this.#isAssigning;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { leases, hash } = this.#options;
    try {
      while (!signal.aborted) {
        const until = AbortSignal.any([signal, leases.changed()]);
        await this.#retrying(until, () => this.#updateRole(until));
        if (!until.aborted) await this.#assignUntilChange(createHashRing(hash, leases.available()), until);
      }
    } finally {
      this.#isAssigning = false;
    }
  }

  /** Determines whether this sharder assigns. Before it starts to, it reads all Leases, so that every shard with objects is known. */
  async #updateRole(signal: AbortSignal): Promise<void> {
    const isElsewhere = await this.#isAssignedElsewhere(signal);
    if (this.#isAssigning === !isElsewhere) return;
    this.#options.logger?.info({ ring: this.#options.ring, isElsewhere }, 'a ControllerRing decides who assigns');
    this.#isAssigning = !isElsewhere;
    if (isElsewhere) return;
    try {
      await this.#options.leases.refresh(signal);
    } catch (error) {
      this.#isAssigning = false;
      throw error;
    }
  }

  /** Assigns objects until the shards change, or until the next check of all assignments. */
  async #assignUntilChange(ring: HashRing, until: AbortSignal): Promise<void> {
    const { clock, resyncInterval = 300_000 } = this.#options;
    const over = new AbortController();
    const isIdle = !this.#isAssigning || ring.shards.length === 0;
    const unassigned = isIdle ? undefined : this.#unassignedController(ring).run(AbortSignal.any([until, over.signal]));
    if (!isIdle) await this.#retrying(until, () => this.#rebalance(ring, until));
    await clock.sleep(resyncInterval, until).catch(() => undefined);
    over.abort();
    await unassigned;
  }

  /** Retries `work` until it succeeds or the signal aborts. */
  async #retrying(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const { clock, logger } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return;
        logger?.warn({ reason: messageOf(error) }, 'assignments could not be checked, retrying');
        await clock.sleep(backoffDelay(backoffs.run, attempt), signal).catch(() => undefined);
      }
    }
  }

  /** Creates the controller of the unassigned objects; its selection excludes all objects of the ring's shards. */
  #unassignedController(ring: HashRing) {
    const { client, kind, selection = {}, project, clock, random, logger, leases, isSharded } = this.#options;
    const labels = andSelectors(selection.labels, `${this.#labels.shard} notin (${ring.shards.join(',')})`);
    const reconciler: Reconciler<T> = async ({ object, signal }) => {
      if (object === undefined || isSharded?.(object) === false) return done;
      const assignment = assignmentOf(object.metadata, this.#labels, { ring, key: hashKeyOf(kind, object) });
      const current = object.metadata.labels?.[this.#labels.shard];
      if (assignment.do !== 'assign' || (current !== undefined && !(await leases.isGone(current, signal)))) return done;
      await this.#assign(object, assignment.shard, signal);
      return done;
    };
    return createInformerController<T>({
      client,
      kind,
      name: this.name,
      selection: { ...selection, labels },
      reconciler,
      workers,
      tenantBy: 'namespace',
      clock,
      ...(project && { project }),
      ...(random && { random }),
      ...(logger && { logger }),
    });
  }

  /** Assigns an object to a shard. @throws ConflictError when the object has changed */
  async #assign({ metadata }: T, shard: string, signal: AbortSignal): Promise<void> {
    const { client, kind } = this.#options;
    const { resourceVersion } = metadata;
    const value = {
      metadata: { resourceVersion, labels: { [this.#labels.shard]: shard, [this.#labels.drain]: null } },
    };
    await client.patch(kind, metadata, { type: 'merge', value }, { signal, answer: 'metadata' });
  }

  /** Sets the drain label on objects that the ring assigns to another shard now. */
  async #rebalance(ring: HashRing, signal: AbortSignal): Promise<void> {
    const { client, kind, selection = {} } = this.#options;
    const labels = andSelectors(selection.labels, `${this.#labels.shard} in (${ring.shards.join(',')})`);
    const { items } = await client.list(kind, { ...selection, labels, answer: 'metadata', signal });
    const isMisplaced = (object: T) =>
      assignmentOf(object.metadata, this.#labels, { ring, key: hashKeyOf(kind, object) }).do === 'drain';
    const misplaced = roundRobin(items.filter(isMisplaced)).values();
    const work = async (): Promise<void> => {
      for (const object of misplaced) await this.#drain(object, signal);
    };
    await Promise.all(Array.from({ length: workers }, work));
  }

  async #drain({ metadata }: T, signal: AbortSignal): Promise<void> {
    const { client, kind, logger } = this.#options;
    const { shard, drain } = this.#labels;
    const at = (label: string) => pointer('metadata', 'labels', label);
    const operations = [test(at(shard), metadata.labels?.[shard]), add(at(drain), 'true')];
    try {
      await patchTested(client, { kind, key: metadata, operations }, { signal, answer: 'metadata' });
    } catch (error) {
      if (!(error instanceof StaleError || error instanceof NotFoundError)) throw error;
      logger?.debug({ object: keyOf(metadata) }, 'moved meanwhile');
    }
  }

  /** Reports whether a ControllerRing of this name exists: then kubernetes-controller-sharding assigns. */
  async #isAssignedElsewhere(signal: AbortSignal): Promise<boolean> {
    const { client, ring } = this.#options;
    const path = `/apis/sharding.timebertt.dev/v1alpha1/controllerrings/${ring}`;
    try {
      await client.raw('GET', path, undefined, { signal });
      return true;
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof ForbiddenError) return false;
      throw error;
    }
  }
}

/**
 * Creates the sharder of a ring, to be run by one process at a time. With a ControllerRing of that name it assigns nothing, since
 * kubernetes-controller-sharding does.
 *
 * # Guarantees
 * An object moves between two available shards only after the first has released it. Memory and traffic depend on the number of unassigned objects and
 * of shards. All objects are listed, metadata only, when a shard joins or leaves and every `resyncInterval`.
 */
export const createSharder = <T extends KubeObject>(options: SharderOptions<T>): Sharder => new RingSharder(options);
