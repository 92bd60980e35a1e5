import type { KubeObject } from '../../api/object.ts';
import { pointer, remove, test } from '../../api/patch.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import { orStale } from '../../client/stale-patch.ts';
import { done, type Reconciler } from '../../reconcile/reconciler.ts';
import type { ShardLabels } from './shard-labels.ts';

/**
 * Reconciles the objects of one shard, and releases those that are to be drained. Objects of other shards are left alone: a cached one may have moved.
 *
 * # Expected flow
 * An object with the drain label is not reconciled any more. Since no object runs twice at a time, this run begins when the one under way has ended.
 * Both labels are removed by one patch, which tests that the object is still of this shard; its watch then shows it as deleted.
 *
 * @throws StaleError, to be run again, where the labels have changed meanwhile
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
    await orStale(key, ignoreNotFound(client.patch(kind, key, { type: 'json', operations }, options)));
    logger.debug({ shard }, 'drained');
    return done;
  };
