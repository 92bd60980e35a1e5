/** Assignment of objects to shards by consistent hashing, as in kubernetes-controller-sharding. All functions are pure. */

import type { Kind } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import type { ShardLabels } from './shard-labels.ts';

/** 64-bit hash of a text. */
export type Hash = (text: string) => bigint;

/** Number of tokens of each shard on the ring, as in kubernetes-controller-sharding. More tokens make the shares more equal. */
const tokensPerShard = 100;

/** Consistent hash ring of shards. */
export interface HashRing {
  /** Sorted by name. */
  readonly shards: readonly string[];
  /** Returns the shard of a key; undefined without any shard. */
  shardOf(key: string): string | undefined;
}

/**
 * Creates the ring of some shards: a key belongs to the shard of the next token.
 * # Guarantees
 * The same shards, in any order, result in the same ring. A joining shard only takes over keys from others, and a leaving shard only gives up its
 * own: no key moves between two other shards.
 */
export function createHashRing(hash: Hash, names: Iterable<string>): HashRing {
  const shards = [...new Set(names)].sort();
  const owners = new Map(
    shards.flatMap((shard) =>
      Array.from({ length: tokensPerShard }, (_, at) => [hash(`${shard}${at}`), shard] as const),
    ),
  );
  const tokens = BigUint64Array.from(owners.keys()).sort();
  return {
    shards,
    shardOf(key) {
      const position = hash(key);
      let [low, high] = [0, tokens.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (tokens[middle]! < position) low = middle + 1;
        else high = middle;
      }
      return owners.get(tokens[low % tokens.length]!);
    },
  };
}

/** Returns the text that is hashed for an object; without the uid, which admission webhooks do not have yet. */
export const hashKeyOf = ({ group, kind }: Kind, { metadata }: Pick<KubeObject, 'metadata'>): string =>
  `${group}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

/** Change of an object's labels: `assign` sets its shard, `drain` requests its release by its shard. */
export type Assignment = { readonly do: 'keep' | 'drain' } | { readonly do: 'assign'; readonly shard: string };

const keep: Assignment = { do: 'keep' };

/**
 * Returns the change for an object. An object without a shard, or with one that is not on the ring, is assigned, since nothing runs it. An object of
 * another shard on the ring is drained first, and assigned once its shard has removed the labels.
 */
export function assignmentOf(
  { labels = {} }: Pick<KubeObject['metadata'], 'labels'>,
  { shard, drain }: ShardLabels,
  { ring, key }: { readonly ring: HashRing; readonly key: string },
): Assignment {
  const wanted = ring.shardOf(key);
  const current = labels[shard];
  if (wanted === undefined) return keep;
  if (current === undefined || !ring.shards.includes(current)) return { do: 'assign', shard: wanted };
  return current === wanted || labels[drain] !== undefined ? keep : { do: 'drain' };
}

/** Orders objects round robin over their namespaces. */
export function roundRobin<T extends Pick<KubeObject, 'metadata'>>(objects: readonly T[]): readonly T[] {
  const counts = new Map<string, number>();
  const ranked = objects.map((object) => {
    const { namespace = '' } = object.metadata;
    const rank = counts.get(namespace) ?? 0;
    counts.set(namespace, rank + 1);
    return { object, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ object }) => object);
}
