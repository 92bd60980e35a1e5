/** operatorkit's errors of configuration and execution. */

import { GiveUpError } from '../../errors.ts';

/** Thrown for invalid configuration: an empty name, an empty list, an invalid option (operatorkit's invalidConfigError). */
export class InvalidConfigError extends TypeError {
  static {
    InvalidConfigError.prototype.name = 'InvalidConfigError';
  }
}

/** Thrown when a run is impossible until something changes: several resource sets handle one object (operatorkit's executionFailedError). */
export class ExecutionFailedError extends GiveUpError {
  static {
    ExecutionFailedError.prototype.name = 'ExecutionFailedError';
  }
}

/** Thrown when no resource set handles an object (operatorkit's noResourceSetError). */
export class NoResourceSetError extends GiveUpError {
  static {
    NoResourceSetError.prototype.name = 'NoResourceSetError';
  }
}

/** Reports whether an error is an {@link InvalidConfigError}. */
export const isInvalidConfig = (error: unknown): error is InvalidConfigError => error instanceof InvalidConfigError;

/** Reports whether an error is an {@link ExecutionFailedError}. */
export const isExecutionFailed = (error: unknown): error is ExecutionFailedError =>
  error instanceof ExecutionFailedError;

/** Reports whether an error is a {@link NoResourceSetError}. */
export const isNoResourceSet = (error: unknown): error is NoResourceSetError => error instanceof NoResourceSetError;
