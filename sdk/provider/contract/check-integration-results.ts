/** Validates the results of an integration's functions. */

import { isJsonObject } from '../../api/json.ts';
import { claimOf, type Workspace } from '../../api/workspace.ts';
import { unknownIn } from '../../options.ts';
import type { Result } from '../../reconcile/reconciler.ts';
import { messageOf } from '../../thrown.ts';
import { describeValue } from '../describe-value.ts';
import {
  atMember,
  type IntegrationRef,
  ignoreRejection,
  mistakeError,
  mistakeInMs,
  runCheck,
  throwIfMistake,
} from '../value-mistakes.ts';
import type { IntegrationFunction } from './call-deadline.ts';
import type { Integration, Provider } from './integration.ts';

const refTo = ({ name, condition }: Pick<Integration, 'name' | 'condition'>): IntegrationRef => ({
  claim: claimOf(name),
  type: condition,
});

/** Calls the integration's `handles`. @throws ContractError if it throws, or returns anything but a boolean */
export function handlesOf(integration: Integration, workspace: Workspace): boolean {
  const ref = refTo(integration);
  let answer: unknown;
  try {
    answer = integration.handles(workspace);
  } catch (error) {
    throwIfMistake(ref, `handles must not throw; it threw ${messageOf(error)}`);
  }
  if (typeof answer === 'boolean') return answer;
  ignoreRejection(answer);
  throw mistakeError(ref, `handles must return true or false; found ${describeValue(answer)}`);
}

/** Validates the result of `connect`. @throws ContractError */
export function checkedProvider(integration: Integration, provider: unknown): Provider {
  const isOne = isJsonObject(provider);
  const mistake = runCheck(() => {
    const missing = (['reconcile', 'terminate'] as const).find(
      (name) => !isOne || typeof provider[name] !== 'function',
    );
    const what = missing && `${missing} ${isOne ? describeValue(provider[missing]) : `on ${describeValue(provider)}`}`;
    return what && `an object with functions reconcile and terminate; found ${what}`;
  });
  throwIfMistake(refTo(integration), atMember('connect must return', mistake));
  return provider as Provider;
}

const members = ['requeueAfter', 'state', 'stop', 'keepFinalizer'];

/** Validates the result of `reconcile` or `terminate`. @throws ContractError */
export function checkedResult(integration: Integration, name: IntegrationFunction, answer: unknown): Result {
  const result = answer ?? {};
  const mistake = runCheck(() =>
    isJsonObject(result)
      ? (unknownIn(result, members) ?? atMember('requeueAfter', mistakeInMs(result.requeueAfter)))
      : `must be { requeueAfter? } or undefined; found ${describeValue(result)}`,
  );
  throwIfMistake(refTo(integration), mistake && `what ${name} returned: ${mistake}`);
  return result as Result;
}
