import { GiveUpError } from '../errors.ts';

/** Something was put together wrongly: an empty name, an empty list, an option that makes no sense (operatorkit's invalidConfigError). */
export class InvalidConfigError extends TypeError {
  static {
    InvalidConfigError.prototype.name = 'InvalidConfigError';
  }
}

/** A run cannot be carried out, and not before something changes: several resource sets handle one object (operatorkit's executionFailedError). */
export class ExecutionFailedError extends GiveUpError {
  static {
    ExecutionFailedError.prototype.name = 'ExecutionFailedError';
  }
}

/** No resource set handles an object (operatorkit's noResourceSetError). */
export class NoResourceSetError extends GiveUpError {
  static {
    NoResourceSetError.prototype.name = 'NoResourceSetError';
  }
}

/** Tells an {@link InvalidConfigError} from anything else. */
export const isInvalidConfig = (error: unknown): error is InvalidConfigError => error instanceof InvalidConfigError;

/** Tells an {@link ExecutionFailedError} from anything else. */
export const isExecutionFailed = (error: unknown): error is ExecutionFailedError =>
  error instanceof ExecutionFailedError;

/** Tells a {@link NoResourceSetError} from anything else. */
export const isNoResourceSet = (error: unknown): error is NoResourceSetError => error instanceof NoResourceSetError;
