/** Formats the findings of a run. */

import { causeOf } from './differences.ts';
import type { Finding, Outcome } from './run.ts';

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '(nothing)');
  return text.length > 1200 ? `${text.slice(0, 1200)}…` : text;
};

/** Groups findings by probable cause, the most frequent first. */
export const byCause = (findings: readonly Finding[]): readonly (readonly [string, readonly Finding[]])[] =>
  Object.entries(Object.groupBy(findings, causeOf) as Record<string, Finding[]>).sort(
    ([, a], [, b]) => b.length - a.length,
  );

function* paragraph([cause, findings]: readonly [string, readonly Finding[]], examples: number): Generator<string> {
  yield `${findings.length} x ${cause}`;
  for (const { scenario, step, request, path, ours, theirs } of findings.slice(0, examples)) {
    yield `    ${scenario}, step ${step}: ${shown(request)}`;
    yield `      ${path}`;
    yield `      ours:   ${shown(ours)}`;
    yield `      theirs: ${shown(theirs)}`;
  }
}

/** Formats the result of a run: causes with examples, the most frequent last, then the counts. */
export function reportOf({ scenarios, findings }: Outcome, examples: number): string {
  const causes = byCause(findings);
  const failed = new Set(findings.map(({ scenario }) => scenario)).size;
  const lines = causes.toReversed().flatMap((one) => [...paragraph(one, examples)]);
  return [...lines, `${scenarios} scenarios, ${failed} of them with differences, ${causes.length} causes`].join('\n');
}
