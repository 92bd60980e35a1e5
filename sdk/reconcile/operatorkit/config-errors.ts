/** Errors of configuration and execution, as in operatorkit. */

import { GiveUpError } from '../../errors.ts';

/** Thrown for invalid configuration: an empty name, an empty list, a missing function, an invalid option (operatorkit's invalidConfigError). */
export class InvalidConfigError extends TypeError {
  static {
    InvalidConfigError.prototype.name = 'InvalidConfigError';
  }
}

/** Thrown when a run cannot succeed until the object or the configuration changes: several resource sets handle one object (operatorkit's executionFailedError). */
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

/** Checks the name and the required functions of `model`'s configuration. @throws InvalidConfigError for the first that is missing */
export function checkConfig(model: string, config: { readonly name: string }, functions: readonly string[]): void {
  const { name } = config;
  if (typeof name !== 'string' || name === '') throw new InvalidConfigError(`${model}: name is empty`);
  for (const required of functions) {
    const given: unknown = Reflect.get(config, required);
    if (typeof given !== 'function')
      throw new InvalidConfigError(`${model} ${name}: ${required} must be a function, found ${typeof given}`);
  }
}
