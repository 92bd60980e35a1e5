/** Failure of an attempt that had changed something before. */

/** Failure of a task, its `cause`, after an earlier call of the same attempt was carried out: the operation is unresolved until it is repeated. */
export class PartialEffectError extends Error {
  constructor(cause: unknown) {
    super('part of the operation was carried out', { cause });
  }
}

/** Returns the error that a task failed with: the cause of a {@link PartialEffectError}, any other one itself. */
export const taskErrorOf = (error: unknown): unknown => (error instanceof PartialEffectError ? error.cause : error);
