/** Reads and writes kept answers of the real server. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, Scenario } from './scenario.ts';
import type { Summaries } from './summary.ts';

const fileOf = (family: string): string => join(import.meta.dirname, '../kept', `${family}.jsonl`);

/** Reads summaries of the real server's answers, of scenarios that the cluster answers alike. */
export function keptOf(family: string): Summaries {
  const lines = readFileSync(fileOf(family), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, readonly string[]]));
}

/** Scenarios of a family with kept answers. */
export const keptScenarios = (family: Family, kept: Summaries): readonly Scenario[] =>
  [...family.fixed()].filter(({ name }) => name in kept);

/** Formats summaries for a file, one line each. */
export const keptText = (summaries: Summaries): string =>
  Object.entries(summaries)
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('');
