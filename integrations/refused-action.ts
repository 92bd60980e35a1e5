/** Refusals of the API server, for integrations whose objects are in the cluster. */

import {
  ApiError,
  ForbiddenError,
  InvalidError,
  type ProviderController,
  type Result,
  requeueAfter,
} from '../sdk/index.ts';

/** Refused action: its reason, and whether it can succeed later without a change of the workspace. */
export interface RefusedAction {
  readonly reason: string;
  readonly isRetryable: boolean;
}

/** Returns the refusal of an invalid or forbidden change; unknown fields of a strict one are a 400. @throws any other error */
export function refusedAction(error: unknown): RefusedAction {
  const isMistake = error instanceof InvalidError || (error instanceof ApiError && error.code === 400);
  if (isMistake) return { reason: error.message, isRetryable: false };
  if (error instanceof ForbiddenError) return { reason: error.message, isRetryable: true };
  throw error;
}

/**
 * Handles throttling by the API server: sets the condition to `Waiting` and requeues. @throws any other error
 * @param interval ms until the next attempt, where the server names none
 */
export async function waitWhenThrottled(
  controller: Pick<ProviderController, 'updateCondition'>,
  error: unknown,
  interval: number,
): Promise<Result> {
  if (!(error instanceof ApiError) || error.code !== 429) throw error;
  await controller.updateCondition('Waiting', error.message);
  return requeueAfter(error.retryAfter ?? interval);
}
