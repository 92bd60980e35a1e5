/** Findings about an integration and their report. */

import assert from 'node:assert/strict';
import { messageOf } from '../../../sdk/index.ts';
import { coverageOf } from '../observation/coverage.ts';
import type { CaseName } from '../subject/case-names.ts';
import { redacted } from '../subject/secret-forms.ts';
import type { Subject } from '../subject/subject.ts';

/** Limit of the failed calls and of the likely mistakes in a report. */
const maxLines = 6;

/** Problem of an integration: the symptom, failed calls, and likely mistakes with their fixes. */
export class Finding extends Error {
  readonly likely = new Set<string>();
  readonly failedCalls = new Set<string>();

  constructor(symptom: string, likely: Iterable<string>) {
    super(symptom);
    for (const one of likely) this.likely.add(one);
  }
}

/** Converts a thrown value into a finding. An error that is none comes from the subject itself. */
export const findingOf = (error: unknown): Finding =>
  error instanceof Finding
    ? error
    : new Finding(messageOf(error), ['the subject threw this itself: see start, integration, remote and causeDrift']);

/** Reports whether the error is a usage error of the subject, which needs no diagnosis. */
export const isUsage = (error: unknown): boolean =>
  error instanceof TypeError && error.message.startsWith('testIntegration:');

/** Merges findings into one; undefined when there is none. */
export function merged(findings: readonly Finding[], separator = '\n'): Finding | undefined {
  if (findings.length === 0) return undefined;
  const all = new Finding(
    [...new Set(findings.map(({ message }) => message))].join(separator),
    findings.flatMap(({ likely }) => [...likely]),
  );
  for (const { failedCalls } of findings) for (const call of failedCalls) all.failedCalls.add(call);
  return all;
}

/** Fails with a symptom and its likely mistakes with their fixes. @throws Finding */
export function fail(symptom: string, ...likely: readonly string[]): never {
  throw new Finding(symptom, likely);
}

/** @throws Finding unless the condition holds */
export function expect(holds: boolean, symptom: string, ...likely: readonly string[]): asserts holds {
  if (!holds) fail(symptom, ...likely);
}

const lines = (title: string, items: Iterable<string>): readonly string[] => {
  const all = [...items];
  const rest = all.length > maxLines ? [`  ${title} ${all.length - maxLines} more`] : [];
  return [...all.slice(0, maxLines).map((item) => `  ${title} ${item}`), ...rest];
};

/** Formats the report to the integration's author; it ends with the likely mistakes and their fixes. */
export function reportOf(error: unknown, name: CaseName, subject: Subject): Error {
  if (isUsage(error)) return error as Error;
  const { message, likely, failedCalls } = findingOf(error);
  const never = coverageOf(subject).neverCalled();
  const report = [
    message,
    ...lines('failed call:', failedCalls),
    ...(never.length > 0 ? [`  never called so far: ${never.join(', ')}`] : []),
    `  case: ${name}`,
    ...lines(
      'likely mistake:',
      likely.size > 0 ? likely : ['what its condition and the failed calls say is thrown by one of its functions'],
    ),
  ];
  return new assert.AssertionError({ message: redacted(report.join('\n'), subject.secrets) });
}
