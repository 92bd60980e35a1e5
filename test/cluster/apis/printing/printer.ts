/** Building blocks of table printers. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import type { Ago } from './age.ts';

/** Table cell. */
export type Cell = string | number | boolean | null;

/** Printer of a kind. */
export interface Printer {
  /** Names of columns, separated by `|`. A name may end in `:type/format` (`string` by default) and in `+` for columns of `-o wide`. */
  readonly columns: string;
  /** Returns the cells of an object, one per column. */
  readonly cells: (object: Fields, ago: Ago) => readonly Cell[];
}

/** Returns the text, or `<none>` without one. */
export const orNone = (value: unknown): string =>
  value === undefined || value === '' || value === null ? '<none>' : String(value);

/** Returns the number, or zero for other values. */
export const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Returns the object's metadata. */
export const metaOf = (object: Fields): Fields => fieldsOf(object.metadata);

/** Returns the object's name. */
export const nameOf = (object: Fields): string => String(metaOf(object).name ?? '');

/** Returns the object's age. */
export const ageOf = (object: Fields, ago: Ago): string => ago(metaOf(object).creationTimestamp);

/** Formats labels as kubectl does: `a=b,c=d`, or `<none>`. */
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

/** Formats a label selector as kubectl does. */
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

/** Returns the names and images of a template's containers. */
export function containerCells(template: unknown): readonly [string, string] {
  const { containers } = fieldsOf(fieldsOf(template).spec);
  const list = Array.isArray(containers) ? (containers as Fields[]) : [];
  return [list.map(({ name }) => name).join(','), list.map(({ image }) => image).join(',')];
}

/** Returns a printer of the name, some cells and the age. */
export const simple = (columns: string, cells: (object: Fields) => readonly Cell[]): Printer => ({
  columns: `Name|${columns}${columns === '' ? '' : '|'}Age`,
  cells: (object, ago) => [nameOf(object), ...cells(object), ageOf(object, ago)],
});

/** Returns the text of a value; empty without one. */
export const text = (value: unknown): string => String(value ?? '');

/** Returns the condition of a type; empty without it. */
export const conditionOf = ({ status }: Fields, type: string): Fields => {
  const { conditions } = fieldsOf(status);
  return (Array.isArray(conditions) ? (conditions as Fields[]) : []).find((one) => one.type === type) ?? {};
};

/** Number of texts that a cell shows of a list. */
const max = 3;

/** Returns the first texts of a list, and the number of the others. */
export const firstFew = (texts: readonly string[], total = texts.length): string =>
  total > max ? `${texts.slice(0, max).join(',')} + ${total - max} more...` : texts.join(',');
