import { fieldsOf } from '../kinds/checks.ts';
import type { Fields } from '../objects/object.ts';
import type { Ago } from './age.ts';

/** One cell of a row. */
export type Cell = string | number | boolean | null;

/** How objects of a kind are printed. */
export interface Printer {
  /** Names of columns, separated by `|`. A name may end in `:type/format` (string otherwise) and in `+` for columns that only `-o wide` shows. */
  readonly columns: string;
  /** The cells of one object, one per column. */
  readonly cells: (object: Fields, ago: Ago) => readonly Cell[];
}

/** The text, or `<none>` when there is none. */
export const orNone = (value: unknown): string =>
  value === undefined || value === '' || value === null ? '<none>' : String(value);

/** The number, or zero. */
export const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The object's metadata. */
export const metaOf = (object: Fields): Fields => fieldsOf(object.metadata);

/** The object's name, then how old it is. */
export const nameOf = (object: Fields): string => String(metaOf(object).name ?? '');

/** How old an object is. */
export const ageOf = (object: Fields, ago: Ago): string => ago(metaOf(object).creationTimestamp);

/** Labels as kubectl writes them: `a=b,c=d`, or `<none>`. */
export function labelsText(labels: unknown): string {
  const entries = Object.entries(fieldsOf(labels)).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? '<none>' : entries.map(([key, value]) => `${key}=${value}`).join(',');
}

const expressionText = ({ key, operator, values }: Fields): string => {
  const list = Array.isArray(values) ? values.join(',') : '';
  if (operator === 'Exists') return String(key);
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${list})`;
};

/** A label selector as kubectl writes it. */
export function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const parts = [
    ...Object.entries(fieldsOf(matchLabels)).map(([key, value]) => `${key}=${value}`),
    ...(Array.isArray(matchExpressions) ? (matchExpressions as Fields[]).map(expressionText) : []),
  ];
  const keyOf = (part: string): string => part.replace(/^!/, '').split(/[= ]/, 1)[0]!;
  const sorted = parts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
  return parts.length === 0 ? '<none>' : sorted.join(',');
}

/** Names and images of the containers of a template. */
export function containerCells(template: unknown): readonly [string, string] {
  const { containers } = fieldsOf(fieldsOf(template).spec);
  const list = Array.isArray(containers) ? (containers as Fields[]) : [];
  return [list.map(({ name }) => name).join(','), list.map(({ image }) => image).join(',')];
}

/** A printer of a name, some cells, and the age. */
export const simple = (columns: string, cells: (object: Fields) => readonly Cell[]): Printer => ({
  columns: `Name|${columns}${columns === '' ? '' : '|'}Age`,
  cells: (object, ago) => [nameOf(object), ...cells(object), ageOf(object, ago)],
});

/** A value as a cell; empty when there is none. */
export const text = (value: unknown): string => String(value ?? '');
