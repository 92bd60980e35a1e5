/** Formats tables of figures. */

/** A figure, a word, or no measurement. */
export type Cell = string | number | undefined;

/** Target of a figure. */
export interface Target {
  readonly what: string;
  readonly value: number;
  readonly atMost: number;
}

/** Related figures; the first column names the rows. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Caveats for reading the figures. */
  readonly notes?: readonly string[];
  readonly targets?: readonly Target[];
}

/** Formats with up to three significant digits. */
export function cellText(cell: Cell): string {
  if (cell === undefined) return '-';
  if (typeof cell === 'string') return cell;
  if (Number.isInteger(cell) || Math.abs(cell) >= 100)
    return Math.round(cell).toLocaleString('en').replaceAll(',', ' ');
  return cell.toFixed(Math.abs(cell) >= 10 ? 1 : 2);
}

/** Reports whether the target was reached. */
export const isMet = ({ value, atMost }: Target): boolean => value <= atMost;

const targetText = (target: Target): string =>
  `target ${isMet(target) ? 'met' : 'MISSED'}: ${target.what}: ${cellText(target.value)}, at most ${cellText(target.atMost)}`;

/** Formats the table: names left-aligned, figures right-aligned, then targets and notes. */
export function tableText({ title, columns, rows, notes = [], targets = [] }: Table): string {
  const texts = [columns, ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const lines = texts.map((row) =>
    widths
      .map((width, column) => (column === 0 ? (row[0] ?? '').padEnd(width) : (row[column] ?? '').padStart(width)))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...body] = lines;
  return [title, '', head, '-'.repeat(head.length), ...body, ...targets.map(targetText), ...notes].join('\n');
}
