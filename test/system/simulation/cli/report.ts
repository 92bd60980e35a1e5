/** Formats the tallies of lives as tables. */

import { addCounts, type Counts, coverageText } from '../checks/coverage.ts';
import {
  callFaults,
  directedCallFaults,
  directedFaults,
  directedTenantFaults,
  processFaults,
  refusals,
  requestFaults,
  tenantFaults,
  watchFaults,
  worldFaults,
} from '../faults/faults.ts';
import type { Tally } from '../lives/lives.ts';

const kinds = [
  ...requestFaults,
  ...callFaults,
  ...directedCallFaults,
  ...processFaults,
  ...worldFaults,
  ...watchFaults,
  ...directedFaults,
  ...tenantFaults,
  ...directedTenantFaults,
  ...refusals.filter((kind) => kind === 'refused 400' || kind === 'refused 403'),
];

const columns: readonly (readonly [string, (tally: Tally) => string | number])[] = [
  ['scenario', ({ scenario = 'random' }) => scenario],
  ['protocol', ({ protocol }) => protocol],
  ['identity', ({ identity }) => identity],
  ['lives', ({ lives }) => lives],
  ['duplicates', ({ duplicates }) => duplicates],
  ['leaks', ({ leaks }) => leaks],
  ['silently stuck', ({ stuck }) => stuck],
  ['promises broken', ({ violated }) => violated],
  ['failed', ({ failed }) => failed.length],
  ['waiting for a human', ({ human }) => human],
];

/** Formats rows of cells as aligned text. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats the results, one line for each protocol and identity. */
export const outcomeTable = (tallies: readonly Tally[]): string =>
  aligned([columns.map(([title]) => title), ...tallies.map((tally) => columns.map(([, cell]) => String(cell(tally))))]);

/** Formats the share of lives in which each kind of fault took effect, by protocol. */
export function strikeTable(tallies: readonly Tally[]): string {
  const protocols = [...new Set(tallies.map(({ protocol }) => protocol))];
  const share = (kind: (typeof kinds)[number], protocol: string): string => {
    const those = tallies.filter((tally) => tally.protocol === protocol);
    const lives = those.reduce((sum, tally) => sum + tally.lives, 0);
    const count = those.reduce((sum, { struck }) => sum + (struck.get(kind) ?? 0), 0);
    return `${((100 * count) / Math.max(1, lives)).toFixed(1)} %`;
  };
  const rows = kinds.map((kind) => [kind, ...protocols.map((protocol) => share(kind, protocol))]);
  return aligned([['struck in', ...protocols], ...rows]);
}

/** Formats which states of the protocol the lives reached, and which never. */
export const coverageTable = (tallies: readonly Tally[]): string =>
  coverageText(tallies.reduce<Counts>((sum, { coverage }) => addCounts(sum, coverage), new Map()));
