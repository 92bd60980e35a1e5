/** Checks the reason, the task and the options that an integration passes to `guard`. */

import { isJsonObject } from '../../api/json.ts';
import { unknownIn } from '../../options.ts';
import type { GuardOptions } from '../contract/integration.ts';
import { describeValue } from '../describe-value.ts';
import {
  atMember,
  type IntegrationRef,
  mistakeInDuration,
  mistakeInInput,
  mistakeInText,
  mistakeInUnboundedDuration,
  throwIfMistake,
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

/** Rules of the options, in the order in which they are checked; each is given the value, which may be undefined. */
const optionRules: Readonly<Record<keyof GuardOptions, (value: unknown) => string | undefined>> = {
  op: (op) => mistakeInChoice(op, operations),
  identity: (identity) => mistakeInChoice(identity, identities),
  recover: (recover) => mistakeUnless(recover === undefined || typeof recover === 'function', 'a function', recover),
  validForMs: (ms) => (ms === undefined ? undefined : mistakeInUnboundedDuration(ms)),
  maxRequestMs: (ms) => mistakeInDuration(ms),
  listLagMs: (ms) => mistakeInDuration(ms),
  input: (input) =>
    mistakeUnless(input === undefined || isJsonObject(input), 'an object', input) ?? mistakeInInput(input ?? null),
};

function mistakeInOptions(options: unknown): string | undefined {
  if (!isJsonObject(options)) return `options must be an object; found ${describeValue(options)}`;
  const unknown = unknownIn(options, Object.keys(optionRules));
  if (unknown !== undefined) return unknown;
  for (const [member, mistakeIn] of Object.entries(optionRules)) {
    const mistake = mistakeIn(options[member]);
    if (mistake !== undefined) return atMember(member, mistake);
  }
  return undefined;
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
  throwIfMistake(integration, mistake && `guard: ${mistake}`);
}
