/** Reconciler of one shard. */

import type { KubeObject } from '../../api/object.ts';
import { pointer, remove, test } from '../../api/patch.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import { patchTested } from '../../client/patch-tested.ts';
import { done, type Reconciler } from '../../reconcile/reconciler.ts';
import type { ShardLabels } from './shard-labels.ts';

/**
 * Reconciles the objects of one shard, and releases those with the drain label. Objects of other shards are skipped, since a cached object may have
 * moved.
 *
 * # Expected flow
 * An object with the drain label is not reconciled any more. As runs of one object never overlap, the release follows the end of the current run.
 * One patch removes both labels and tests that the object still belongs to this shard; its watch then reports the object as deleted.
 *
 * @throws StaleError when the labels have changed, and the engine runs the object again; RefusedError when a policy or a webhook stands against the release
 */
export const sharded =
  <T extends KubeObject>(labels: ShardLabels, shard: string, inner: Reconciler<T>): Reconciler<T> =>
  async (request) => {
    const { object, client, kind, key, signal, logger } = request;
    if (object === undefined) return inner(request);
    const { [labels.shard]: assigned, [labels.drain]: drain } = object.metadata.labels ?? {};
    if (assigned !== shard) return done;
    if (drain === undefined) return inner(request);
    const at = (label: string) => pointer('metadata', 'labels', label);
    const operations = [test(at(labels.shard), shard), remove(at(labels.shard)), remove(at(labels.drain))];
    const options = { signal, answer: 'metadata' } as const;
    await ignoreNotFound(patchTested(client, { kind, key, operations }, options));
    logger.debug({ shard }, 'drained');
    return done;
  };
