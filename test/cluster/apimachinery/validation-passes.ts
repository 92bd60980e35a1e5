/** Validation of a kind's metadata. */
export interface ValidationPasses {
  /** Number of times that an update validates labels, annotations and owners; finalizers two times fewer. */
  readonly times: number;
  /** Number of times in a write to `/status`. */
  readonly inStatus: number;
  /** True when finalizers may be names without a domain. */
  readonly bareFinalizers: boolean;
}
