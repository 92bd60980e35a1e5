import { failure } from '../status.ts';

/** 504 of a version that has not been reached. */
export const tooLarge = (wanted: string, current: number) =>
  failure('Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

/** ms that the server waits for a version that it has not seen yet. */
export const freshness = 3000;
