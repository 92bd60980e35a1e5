/** Formats a plan as a table or as JSON. */

import type { PlanRow } from '../../planning/plan-rows.ts';
import { oneLine } from './plain-text.ts';

const signs: Readonly<Record<PlanRow['action'], string>> = {
  create: '+',
  update: '~',
  delete: '-',
  adopt: '>',
  task: '!',
  orphan: '<',
  nothing: ' ',
  unknown: '?',
};

/** Counts the rows of each action in the order of the table of signs; changes that the policy forbids separately. */
function countsOf(rows: readonly PlanRow[]): string {
  const open = rows.filter(({ action, heldBack }) => action !== 'nothing' && !heldBack);
  const counts = (Object.keys(signs) as readonly PlanRow['action'][])
    .map((action) => [action, open.filter((row) => row.action === action).length] as const)
    .filter(([, count]) => count > 0)
    .map(([action, count]) => `${count} ${action}`);
  const held = rows.filter(({ heldBack }) => heldBack).length;
  const all = [...counts, ...(held > 0 ? [`${held} held back by policy`] : [])];
  return all.length === 0 ? 'nothing would be done' : all.join(', ');
}

/** Returns the exit code of `sequencer plan`. */
export const planCode = (rows: readonly PlanRow[]): 0 | 2 | 3 => {
  if (rows.some(({ action }) => action === 'unknown')) return 3;
  return rows.some(({ action, heldBack }) => action !== 'nothing' && !heldBack) ? 2 : 0;
};

const header = ['WORKSPACE', 'INTEGRATION', 'ACTION', 'WHAT'] as const;

/** Formats the rows as a table: each workspace and integration is named once; a summary follows. */
export function planTable(rows: readonly PlanRow[]): readonly string[] {
  const cells = rows.map((row, index) => {
    const above = rows[index - 1];
    const sameWorkspace = above?.workspace === row.workspace;
    const held = row.heldBack ? ` (held back: policy ${row.policy})` : '';
    return [
      sameWorkspace ? '' : row.workspace,
      sameWorkspace && above.integration === row.integration ? '' : row.integration,
      `${signs[row.action]} ${row.action}`,
      `${oneLine(row.what)}${held}`,
    ];
  });
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]!.length)));
  const lines = [[...header.slice(0, 2), `  ${header[2]}`, header[3]], ...cells].map((line) =>
    line
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell))
      .join('  ')
      .trimEnd(),
  );
  return [...(rows.length === 0 ? [] : [...lines, '']), countsOf(rows)];
}

/** Formats the rows as JSON. */
export const planJson = (rows: readonly PlanRow[]): string =>
  JSON.stringify({ rows, code: planCode(rows) }, undefined, 2);
