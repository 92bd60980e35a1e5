/** Mistakes that an integration's `validate` finds in a workspace. */

import { isJsonObject } from '../../api/json.ts';
import { claimOf, type Workspace } from '../../api/workspace.ts';
import { cutText } from '../../cut-text.ts';
import { messageOf } from '../../thrown.ts';
import { describeValue } from '../describe-value.ts';
import { ignoreRejection, runCheck, throwIfMistake } from '../value-mistakes.ts';
import type { Integration } from './integration.ts';
import type { WrongField } from './settings.ts';

/** Limit of the mistakes that a message names, and the longest field and message in characters. */
const max = { mistakes: 16, field: 300, message: 1024 };

const isWrongField = (one: unknown): one is WrongField =>
  isJsonObject(one) && typeof one.field === 'string' && typeof one.message === 'string' && one.message !== '';

/** Integration, or type of it, whose `validate` is called. */
export type Validating = Pick<Integration, 'name' | 'condition'>;

/** Calls a `validate`; what it finds is bounded. @throws ContractError if it throws, or returns anything but fields with messages */
export function wrongFieldsOf({ name, condition }: Validating, validate: () => unknown): readonly WrongField[] {
  const ref = { claim: claimOf(name), type: condition };
  let answer: unknown;
  try {
    answer = validate();
  } catch (error) {
    throwIfMistake(ref, `validate must not throw; it threw ${messageOf(error)}`);
  }
  ignoreRejection(answer);
  const found = `validate must return { field, message }[]; found ${describeValue(answer)}`;
  const mistake = runCheck(() => (Array.isArray(answer) && answer.every(isWrongField) ? undefined : found));
  throwIfMistake(ref, mistake && found);
  return (answer as readonly WrongField[]).slice(0, max.mistakes).map(({ field, message }) => ({
    field: cutText(field, max.field),
    message: cutText(message, max.message),
  }));
}

/** Calls the integration's `validate`; none without one. @throws ContractError as {@link wrongFieldsOf} */
export function wrongFieldsIn(
  { validate, ...integration }: Validating & Pick<Integration, 'validate'>,
  workspace: Workspace,
): readonly WrongField[] {
  return validate === undefined ? [] : wrongFieldsOf(integration, () => validate(workspace));
}
