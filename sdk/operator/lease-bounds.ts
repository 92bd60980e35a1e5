/** Bounds of what is read from a Lease, which any client with write access can set. */

/** Maximum ms for which a lease of another holder is respected without a renewal. */
export const maxLeaseDuration = 3_600_000;

/** Number of transitions after which `leaseTransitions`, an int32, restarts from 0. */
const maxTransitions = 2 ** 31;

/** Returns `leaseTransitions` of a Lease that changes its holder. */
export const nextTransitions = (transitions = 0): number => (transitions + 1) % maxTransitions;
