/** Decides which shard runs which object: consistent hashing, as in kubernetes-controller-sharding. Pure. */

import type { Kind } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import type { ShardLabels } from './shard-labels.ts';

/** 64-bit hash of a text. */
export type Hash = (text: string) => bigint;

/** Tokens of each shard on the ring: more of them make shares more equal. The number is that of kubernetes-controller-sharding. */
const tokensPerShard = 100;

/** Finds the shard of a key. */
export interface HashRing {
  /** Sorted by name. */
  readonly shards: readonly string[];
  /** Returns the shard of a key; undefined without any shard. */
  shardOf(key: string): string | undefined;
}

/**
 * Creates a ring of the shards: a key belongs to the shard of the next token.
 * # Guarantees
 * The same shards, in any order, give the same ring. A shard that joins takes keys, and gives none of another's to a third; one that leaves gives away
 * its own keys only.
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
      const place = hash(key);
      let [low, high] = [0, tokens.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (tokens[middle]! < place) low = middle + 1;
        else high = middle;
      }
      return owners.get(tokens[low % tokens.length]!);
    },
  };
}

/** Returns the text that is hashed for an object: the uid is left out, since a webhook does not know it yet. */
export const hashKeyOf = ({ group, kind }: Kind, { metadata }: Pick<KubeObject, 'metadata'>): string =>
  `${group}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

/** Change of an object's labels: `assign` gives it to a shard, `drain` asks its shard to let it go. */
export type Assignment = { readonly do: 'keep' | 'drain' } | { readonly do: 'assign'; readonly shard: string };

const keep: Assignment = { do: 'keep' };

/**
 * Returns the change that an object needs. An object without a shard, or of one that is not on the ring (dead, or never there), is assigned at once:
 * nothing runs it. One of another shard on the ring is drained first, and is assigned once its shard has removed the labels.
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

/** Orders objects so that namespaces take turns. */
export function roundRobin<T extends Pick<KubeObject, 'metadata'>>(objects: readonly T[]): readonly T[] {
  const turns = new Map<string, number>();
  const placed = objects.map((object) => {
    const { namespace = '' } = object.metadata;
    const turn = turns.get(namespace) ?? 0;
    turns.set(namespace, turn + 1);
    return { object, turn };
  });
  return placed.sort((a, b) => a.turn - b.turn).map(({ object }) => object);
}
