/** Mistakes that an integration's `validate` finds in a workspace. */

import { claimOf, type Workspace } from '../../api/workspace.ts';
import { messageOf } from '../../errors.ts';
import { describeValue, isRecord, refuseMistake } from '../value-mistakes.ts';
import type { Integration } from './integration.ts';
import type { WrongField } from './settings.ts';

/** Mistakes that are told at most, and the longest field and message in characters. */
const most = { mistakes: 16, field: 300, message: 1024 };

const isWrongField = (one: unknown): one is WrongField =>
  isRecord(one) && typeof one.field === 'string' && typeof one.message === 'string' && one.message !== '';

/** Calls the integration's `validate`; none without one. @throws ContractError if it throws, or returns anything but fields with messages */
export function validated(
  { name, condition, validate }: Pick<Integration, 'name' | 'condition' | 'validate'>,
  workspace: Workspace,
): readonly WrongField[] {
  if (validate === undefined) return [];
  const ref = { claim: claimOf(name), type: condition };
  let answer: unknown;
  try {
    answer = validate(workspace);
  } catch (error) {
    refuseMistake(ref, `validate must not throw; it threw ${messageOf(error)}`);
  }
  if (answer instanceof Promise) answer.catch(() => undefined);
  const isRight = Array.isArray(answer) && answer.every(isWrongField);
  refuseMistake(ref, isRight ? undefined : `validate must return { field, message }[]; found ${describeValue(answer)}`);
  return (answer as readonly WrongField[]).slice(0, most.mistakes).map(({ field, message }) => ({
    field: field.slice(0, most.field),
    message: message.slice(0, most.message),
  }));
}
