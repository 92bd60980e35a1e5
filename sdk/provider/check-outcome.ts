import { conditionStatuses } from '../api/condition.ts';
import {
  found,
  type IntegrationRef,
  isRecord,
  mistakeInRef,
  mistakeInRefs,
  mistakeInText,
  recordable,
  refuseMistake,
  shapeOf,
} from './contract.ts';
import type { Outcome, Ref } from './integration.ts';

/** What is wrong with a condition's status; undefined when nothing is. */
export const mistakeInStatus = (status: unknown): string | undefined =>
  conditionStatuses.some((known) => known === status)
    ? undefined
    : `status must be one of ${conditionStatuses.join(', ')}; found ${found(status)}`;

/** What is wrong with a condition's reason; undefined when nothing is. One that is too long is cut. */
export function mistakeInReason(reason: unknown): string | undefined {
  const mistake = mistakeInText(reason);
  return mistake && `reason ${mistake}`;
}

function mistakeInOutcome(returned: unknown): string | undefined {
  if (!isRecord(returned)) return `must be { status, reason, refs? }; found ${shapeOf(returned)}`;
  const { status, reason, refs } = returned;
  return mistakeInStatus(status) ?? mistakeInReason(reason) ?? (refs === undefined ? undefined : mistakeInRefs(refs));
}

/**
 * What a task returned, checked.
 * @throws ContractError with the ids that came with it: the task has run, so that it is not known what it did, and nothing it made is forgotten
 */
export function checkedOutcome(integration: IntegrationRef, returned: unknown): Outcome {
  const mistake = mistakeInOutcome(returned);
  refuseMistake(
    integration,
    mistake && `what the task returned: ${mistake}`,
    recordable((returned as Outcome | null)?.refs),
  );
  return returned as Outcome;
}

/** An id that a task makes durable, checked. @throws ContractError */
export function checkedRef(integration: IntegrationRef, ref: Ref): Ref {
  const mistake = mistakeInRef(ref);
  refuseMistake(integration, mistake && `checkpoint(ref): ref ${mistake}`);
  return ref;
}
