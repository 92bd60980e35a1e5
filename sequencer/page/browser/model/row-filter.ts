/** Search and filters of the list. */

import type { WorkspaceRow } from '../../page-model.ts';
import { type Tone, toneOf } from './status-tone.ts';

/** Filter of the list; empty texts match everything. */
export interface RowFilter {
  readonly text: string;
  readonly phase: string;
  readonly namespace: string;
  /** Type of a condition. */
  readonly condition: string;
  /** Status of that condition or, without one, of any. */
  readonly status: string;
}

/** Matches everything. */
export const noFilter: RowFilter = { text: '', phase: '', namespace: '', condition: '', status: '' };

/** Returns the namespace in a key. */
export const namespaceIn = (key: string): string => key.slice(0, Math.max(0, key.indexOf('/')));

/** Returns the name in a key. */
export const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1);

/** Returns the shown phase; a deletion is shown as one. */
export const shownPhase = ({ phase, deleting }: Pick<WorkspaceRow, 'phase' | 'deleting'>): string =>
  deleting ? 'Terminating' : phase;

const hasCondition = ({ conditions }: WorkspaceRow, { condition, status }: RowFilter): boolean =>
  (condition === '' && status === '') ||
  conditions.some((one) => (condition === '' || one.type === condition) && (status === '' || one.status === status));

/** Returns the rows that match. Each word of the text has to be in the name, the namespace or the reason. */
export function matching(rows: readonly WorkspaceRow[], filter: RowFilter): readonly WorkspaceRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (filter.phase !== '' && shownPhase(row) !== filter.phase) return false;
    if (filter.namespace !== '' && namespaceIn(row.key) !== filter.namespace) return false;
    if (!hasCondition(row, filter)) return false;
    const text = words.length === 0 ? '' : `${row.key} ${row.reason}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Tones in the order of urgency. */
const byUrgency: readonly Tone[] = ['bad', 'doubt', 'busy', 'idle', 'good'];

const urgencyOf = (phase: string): number => byUrgency.indexOf(toneOf(phase));

/** Values that filters can take. */
export interface FilterChoices {
  readonly phases: ReadonlyMap<string, number>;
  /** Workspaces with a condition that waits for a person. */
  readonly unknown: number;
  readonly namespaces: readonly string[];
  readonly conditions: readonly string[];
  readonly statuses: readonly string[];
}

/** Returns the values that occur, and how many rows have each phase, the failed ones first. */
export function choicesIn(rows: readonly WorkspaceRow[]): FilterChoices {
  const phases = new Map<string, number>();
  const [namespaces, conditions, statuses] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const row of rows) {
    phases.set(shownPhase(row), (phases.get(shownPhase(row)) ?? 0) + 1);
    namespaces.add(namespaceIn(row.key));
    for (const { type, status } of row.conditions) {
      conditions.add(type);
      statuses.add(status);
    }
  }
  const sorted = (all: Set<string>) => [...all].sort();
  return {
    unknown: rows.filter((row) => hasCondition(row, { ...noFilter, status: 'Unknown' })).length,
    phases: new Map([...phases].sort().sort(([a], [b]) => urgencyOf(a) - urgencyOf(b))),
    namespaces: sorted(namespaces),
    conditions: sorted(conditions),
    statuses: sorted(statuses),
  };
}
