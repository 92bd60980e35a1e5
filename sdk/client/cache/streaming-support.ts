/** Decides whether a kind is listed by a streaming list or by pages. */

import { ApiError } from '../../errors.ts';

/** Number of consecutive silent lists after which the server counts as not supporting them: it treats them as plain watches. */
const maxSilent = 3;

/** Thrown when a streaming list is silent before its end: the server treats it as a plain watch, or is slow. */
export class SilentListError extends Error {}

const isInvalid = (error: unknown): boolean => error instanceof ApiError && (error.code === 400 || error.code === 422);

/** Support of a server for streaming lists, as far as it is known. */
export class StreamingSupport {
  #isSupported: boolean;
  #silent = 0;

  constructor(isRequested: boolean) {
    this.#isSupported = isRequested;
  }

  /** False when streaming lists are not requested, were refused, or have been silent too often in a row. */
  get isSupported(): boolean {
    return this.#isSupported;
  }

  /** Records a complete streaming list. */
  recordList(): void {
    this.#silent = 0;
  }

  /** Records a failed streaming list. @returns true when the kind is to be listed by pages this time */
  recordFailure(error: unknown): boolean {
    const isSilent = error instanceof SilentListError;
    if (isSilent) this.#silent += 1;
    this.#isSupported = !isInvalid(error) && this.#silent < maxSilent;
    return isSilent || isInvalid(error);
  }
}
