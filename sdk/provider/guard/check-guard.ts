import { isJsonObject } from '../../api/json.ts';
import {
  atMember,
  describeValue,
  type IntegrationRef,
  mistakeInInput,
  mistakeInMs,
  mistakeInText,
  refuseMistake,
} from '../value-mistakes.ts';
import type { GuardCall } from './guard.ts';

const operations = ['create', 'update', 'delete', 'task'];
const identities = ['name', 'key', 'opaque'];

const mistakeInChoice = (value: unknown, choices: readonly string[]): string | undefined =>
  value === undefined || choices.some((choice) => choice === value)
    ? undefined
    : `must be one of ${choices.join(', ')}; found ${describeValue(value)}`;

const mistakeUnless = (isRight: boolean, expected: string, value: unknown): string | undefined =>
  isRight ? undefined : `must be ${expected}; found ${describeValue(value)}`;

function mistakeInOptions(options: unknown): string | undefined {
  if (!isJsonObject(options)) return `options must be an object; found ${describeValue(options)}`;
  const { op, identity, recover, validForMs, maxRequestMs, listLagMs, input } = options;
  return (
    atMember('op', mistakeInChoice(op, operations)) ??
    atMember('identity', mistakeInChoice(identity, identities)) ??
    atMember('recover', mistakeUnless(recover === undefined || typeof recover === 'function', 'a function', recover)) ??
    atMember(
      'validForMs',
      mistakeUnless(validForMs === undefined || Number(validForMs) > 0, 'a positive number of ms', validForMs),
    ) ??
    atMember('maxRequestMs', mistakeInMs(maxRequestMs)) ??
    atMember('listLagMs', mistakeInMs(listLagMs)) ??
    atMember('input', mistakeUnless(input === undefined || isJsonObject(input), 'an object', input)) ??
    atMember('input', mistakeInInput(input ?? null))
  );
}

/** Validates the arguments of a guard before anything is begun. @throws ContractError */
export function checkGuard(
  integration: IntegrationRef,
  { reason, task, options }: Readonly<Record<keyof GuardCall, unknown>>,
): void {
  const mistake =
    atMember('reason', mistakeInText(reason)) ??
    atMember('task', mistakeUnless(typeof task === 'function', 'a function', task)) ??
    mistakeInOptions(options);
  refuseMistake(integration, mistake && `guard: ${mistake}`);
}
