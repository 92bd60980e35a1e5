/** Time limit of Jobs and of pods. */

/** Part of a Job or a pod that limits how long it may be active. */
export interface ActiveDeadline {
  readonly spec: { readonly activeDeadlineSeconds?: number };
  readonly status?: { readonly startTime?: string };
}

/** Returns the ms until `activeDeadlineSeconds` expires; negative after it, undefined without a deadline or a start. */
export function untilActiveDeadline({ spec, status }: ActiveDeadline, now: number): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status?.startTime === undefined) return undefined;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000 - now;
}
