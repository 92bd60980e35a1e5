/** Labels by which kubernetes-controller-sharding assigns objects: its protocol, version v1alpha1. */

/** Label of a shard's Lease: the ring that the shard belongs to. */
export const ringLabel = 'alpha.sharding.timebertt.dev/controllerring';

/** Holder of the Lease of a dead shard: the controller that has taken it away, as in kubernetes-controller-sharding. */
export const leaseTaker = 'shardlease-controller';

/** Keys of the labels that a ring puts on objects. */
export interface ShardLabels {
  /** Its value is the name of the shard that runs the object. */
  readonly shard: string;
  /** Asks that shard to end its runs of the object and to remove both labels. Its value is irrelevant. */
  readonly drain: string;
}

const ringName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Reports whether a text names a ring: a DNS subdomain of 63 characters at most, since it is part of a label. */
export const isRingName = (text: string): boolean => text.length <= 63 && ringName.test(text);

/** Returns the labels of a ring. @throws TypeError for a name that is none */
export function shardLabelsOf(ring: string): ShardLabels {
  if (!isRingName(ring))
    throw new TypeError(`sharding: a ring is named by 1 to 63 of a-z, 0-9, - and ., found ${JSON.stringify(ring)}`);
  return {
    shard: `shard.alpha.sharding.timebertt.dev/${ring}`,
    drain: `drain.alpha.sharding.timebertt.dev/${ring}`,
  };
}

/** Reports whether a Lease can name a shard: its name has to be the value of a label. */
export const isShardName = (name: string): boolean => isRingName(name);

/** Returns the name of a shard for a process on this host: what a Lease and the value of a label may be. */
export const shardNameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(-63)
    .replace(/^[-.]+|[-.]+$/g, '') || 'shard';
