import {
  atMember,
  describeValue,
  type IntegrationRef,
  isRecord,
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

function mistakeInOptions(options: unknown): string | undefined {
  if (!isRecord(options)) return `options must be an object; found ${describeValue(options)}`;
  const { op, identity, recover, validForMs, maxRequestMs, listLagMs, input } = options;
  return (
    atMember('op', mistakeInChoice(op, operations)) ??
    atMember('identity', mistakeInChoice(identity, identities)) ??
    (recover === undefined || typeof recover === 'function'
      ? undefined
      : `recover must be a function; found ${describeValue(recover)}`) ??
    (validForMs === undefined || Number(validForMs) > 0
      ? undefined
      : `validForMs must be a positive number of ms; found ${describeValue(validForMs)}`) ??
    atMember('maxRequestMs', mistakeInMs(maxRequestMs)) ??
    atMember('listLagMs', mistakeInMs(listLagMs)) ??
    (input === undefined || isRecord(input)
      ? atMember('input', mistakeInInput(input ?? null))
      : `input must be an object; found ${describeValue(input)}`)
  );
}

/** Validates the arguments of a guard before anything is begun. @throws ContractError */
export function checkGuard(
  integration: IntegrationRef,
  { reason, task, options }: Readonly<Record<keyof GuardCall, unknown>>,
): void {
  const mistake =
    atMember('reason', mistakeInText(reason)) ??
    (typeof task === 'function' ? undefined : `task must be a function; found ${describeValue(task)}`) ??
    mistakeInOptions(options);
  refuseMistake(integration, mistake && `guard: ${mistake}`);
}
