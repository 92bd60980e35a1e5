/** Time-out and error of requests for versions that the store has not reached. */

import { failure } from '../apimachinery/status.ts';

/** Returns the 504 for a version that has not been reached. */
export const tooLargeResourceVersion = (wanted: string, current: number) =>
  failure('Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

/** Time that the server waits for a future version, in ms. */
export const resourceVersionTimeout = 3000;
