/** Validates the results of tasks. */

import { conditionStatuses } from '../../api/condition.ts';
import { isJsonObject } from '../../api/json.ts';
import { unknownIn } from '../../options.ts';
import { describeShape, describeValue } from '../describe-value.ts';
import {
  type IntegrationRef,
  mistakeInRef,
  mistakeInRefs,
  mistakeInText,
  recordable,
  runCheck,
  throwIfMistake,
} from '../value-mistakes.ts';
import type { Outcome, Ref } from './integration.ts';

/** Describes an invalid status of a condition; undefined when it is valid. */
export const mistakeInStatus = (status: unknown): string | undefined =>
  conditionStatuses.some((known) => known === status)
    ? undefined
    : `status must be one of ${conditionStatuses.join(', ')}; found ${describeValue(status)}`;

/** Describes an invalid reason of a condition; undefined when it is valid. A long one is valid: it is cut when it is written. */
export function mistakeInReason(reason: unknown): string | undefined {
  const mistake = mistakeInText(reason);
  return mistake && `reason ${mistake}`;
}

const members = ['status', 'reason', 'refs'];

function mistakeInOutcome(returned: unknown): string | undefined {
  if (!isJsonObject(returned)) return `must be { status, reason, refs? }; found ${describeShape(returned)}`;
  const { status, reason, refs } = returned;
  const inRefs = refs === undefined ? unknownIn(returned, members) : mistakeInRefs(refs); // ids under another name would be lost
  return mistakeInStatus(status) ?? mistakeInReason(reason) ?? inRefs;
}

/** Returns a deep copy of validated JSON, which the plug-in cannot change any more. */
const copied = <T>(json: T): T => JSON.parse(JSON.stringify(json)) as T;

/** Returns the ids of a wrong result that can be recorded. */
function readableRefs(returned: unknown): readonly Ref[] {
  try {
    return copied(recordable((returned as Outcome | null)?.refs));
  } catch {
    return [];
  }
}

/**
 * Validates the result of a task, and copies it.
 * @throws ContractError with the ids in the result: the task has run with an unknown effect, and the ids are recorded
 */
export function checkedOutcome(integration: IntegrationRef, returned: unknown): Outcome {
  const mistake = runCheck(() => mistakeInOutcome(returned));
  const refused = mistake === undefined ? [] : readableRefs(returned);
  throwIfMistake(integration, mistake && `what the task returned: ${mistake}`, refused);
  const { status, reason, refs } = returned as Outcome;
  return { status, reason, ...(refs !== undefined && { refs: copied(refs) }) };
}

/** Validates the result of `recover`; undefined means that nothing was found. @throws ContractError with the ids in the result, which are recorded */
export function checkedRecovery(integration: IntegrationRef, found: unknown): Outcome | undefined {
  if (found === undefined) return undefined;
  const mistake = runCheck(() => mistakeInOutcome(found));
  const refused = mistake === undefined ? [] : readableRefs(found);
  throwIfMistake(integration, mistake && `what recover returned, undefined for nothing: ${mistake}`, refused);
  return found as Outcome;
}

/** Validates an id passed to a checkpoint, and copies it. @throws ContractError */
export function checkedRef(integration: IntegrationRef, ref: Ref): Ref {
  const mistake = runCheck(() => mistakeInRef(ref));
  throwIfMistake(integration, mistake && `checkpoint(ref): ref ${mistake}`);
  return copied(ref);
}
