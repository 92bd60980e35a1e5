/** Traits of the simulated things. */

/** Further traits of the things; unless stated otherwise, only with `ensure`. */
export interface Traits {
  /** Created things have a secret. @default false */
  readonly secrets?: boolean;
  /** ms from the creation of a thing until it is ready. @default 0 */
  readonly readyAfter?: number;
  /** Calls ignore the signal of their attempt, however it is used. @default false */
  readonly ignoresSignal?: boolean;
  /** ms between two drift checks. @default never */
  readonly driftInterval?: number;
  /** The mark of an earlier uid is replaced after a restore. @default false */
  readonly replacesMarks?: boolean;
}
