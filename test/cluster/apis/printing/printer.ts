/** Building blocks of table printers. */

import type { Fields } from '../../apimachinery/object.ts';
import { selectorText } from '../../apimachinery/selectors/selector-text.ts';
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

/** Formats labels as `labels.FormatLabels`: `a=b,c=d` sorted as text, or `<none>`. */
export function labelsText(labels: unknown): string {
  const pairs = Object.entries(fieldsOf(labels)).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

/** Formats a label selector as `metav1.FormatLabelSelector`; `<none>` when it selects everything. */
export const labelSelectorText = (selector: unknown): string => selectorText(selector) || '<none>';

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
