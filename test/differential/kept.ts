import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, Scenario } from './scenario.ts';
import type { Summaries } from './summary.ts';

const fileOf = (family: string): string => join(import.meta.dirname, 'kept', `${family}.jsonl`);

/** Summaries of what the real server answers, of scenarios that the cluster answers alike. */
export function keptOf(family: string): Summaries {
  const lines = readFileSync(fileOf(family), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, readonly string[]]));
}

/** The scenarios of a family that are kept. */
export const keptScenarios = (family: Family, kept: Summaries): readonly Scenario[] =>
  [...family.fixed()].filter(({ name }) => name in kept);

/** Summaries as a file has them: a line each. */
export const keptText = (summaries: Summaries): string =>
  Object.entries(summaries)
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('');
