/** Searches for the result of an unresolved attempt before its task runs again. */

import { errorThrownBy } from '../../thrown.ts';
import { checkedRecovery } from '../contract/check-outcome.ts';
import type { GuardOptions, Outcome, Task, TaskContext } from '../contract/integration.ts';
import type { IntegrationRef } from '../value-mistakes.ts';

/** Calls `recover` and validates its result. @throws the error of `recover`, with its name; ContractError for an invalid result */
async function callRecover(
  integration: IntegrationRef,
  { recover }: GuardOptions,
  context: TaskContext,
): Promise<Outcome | undefined> {
  let found: unknown;
  try {
    found = await recover?.(context);
  } catch (error) {
    throw errorThrownBy('recover', error);
  }
  return checkedRecovery(integration, found);
}

/** Wraps the task to search for the result of the unresolved attempt, and to run only if there is none. */
export const recoverFirst =
  (integration: IntegrationRef, { task, options }: { readonly task: Task; readonly options: GuardOptions }): Task =>
  async (context) =>
    (await callRecover(integration, options, context)) ?? task(context);
