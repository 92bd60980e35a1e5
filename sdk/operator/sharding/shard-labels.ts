/** Labels of kubernetes-controller-sharding, protocol version v1alpha1. */

/** Label of a shard's Lease with the name of its ring. */
export const ringLabel = 'alpha.sharding.timebertt.dev/controllerring';

/** Holder of the Leases of dead shards: the controller that acquires them, as in kubernetes-controller-sharding. */
export const shardLeaseHolder = 'shardlease-controller';

/** Keys of the labels of a ring on its objects. */
export interface ShardLabels {
  /** Label with the name of the shard that runs the object. */
  readonly shard: string;
  /** Label that requests the shard to end its runs of the object and to remove both labels. Its value is not used. */
  readonly drain: string;
}

const ringName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Reports whether a text is a valid ring name: a DNS subdomain of at most 63 characters, since it is part of a label. */
export const isRingName = (text: string): boolean => text.length <= 63 && ringName.test(text);

/** Returns the labels of a ring. @throws TypeError for an invalid name */
export function shardLabelsOf(ring: string): ShardLabels {
  if (!isRingName(ring))
    throw new TypeError(`sharding: a ring is named by 1 to 63 of a-z, 0-9, - and ., found ${JSON.stringify(ring)}`);
  return {
    shard: `shard.alpha.sharding.timebertt.dev/${ring}`,
    drain: `drain.alpha.sharding.timebertt.dev/${ring}`,
  };
}

/** Reports whether the name of a Lease is a valid shard name, which is used as a label value. */
export const isShardName = (name: string): boolean => isRingName(name);

/** Returns a valid shard name for a text such as a host name: lower case, at most 63 characters, invalid characters replaced by dashes. */
export const shardNameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(-63)
    .replace(/^[-.]+|[-.]+$/g, '') || 'shard';
