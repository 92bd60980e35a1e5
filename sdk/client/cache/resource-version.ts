/** Comparison of resourceVersions. */

const decimal = /^(0|[1-9]\d*)$/;

/**
 * Orders two resourceVersions as integers of any size: negative when `a` is older, 0 when equal, positive when newer; undefined when one of them is
 * absent or no decimal integer, as only servers without etcd return.
 * An API server counts one revision for all changes of a kind, so this also orders changes of different objects of that kind.
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (a === undefined || b === undefined || !decimal.test(a) || !decimal.test(b)) return undefined;
  return a.length - b.length || (a < b ? -1 : Number(a !== b));
}

/** Reports whether a resourceVersion can be compared with others. */
export const isComparable = (version: string): boolean => decimal.test(version);

/** Reports whether `a` is known to be older than `b`. */
export const isOlder = (a: string | undefined, b: string | undefined): boolean =>
  (compareResourceVersions(a, b) ?? 0) < 0;

/** Reports whether a read at `version` includes all changes up to `wanted`. */
export const hasReached = (version: string | undefined, wanted: string | undefined): boolean =>
  (compareResourceVersions(version, wanted) ?? -1) >= 0;
