/** Matches labels against a LabelSelector. */

import { type Fields, isFields } from '../object.ts';

type Labels = Readonly<Record<string, string>>;

const operators: Readonly<Record<string, (value: string | undefined, values: readonly unknown[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

/** Returns an object's own label; names such as `constructor` are not labels of an object without them. */
const labelIn = (labels: Labels, name: string): string | undefined =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;

const holds = ({ key, operator, values }: Fields, labels: Labels): boolean =>
  operators[String(operator)]?.(labelIn(labels, String(key)), Array.isArray(values) ? values : []) ?? false;

/** Reports whether a LabelSelector in an object matches labels. An empty or absent selector matches everything. */
export function selectsLabels(selector: unknown, labels: Labels = {}): boolean {
  if (!isFields(selector)) return true;
  const { matchLabels, matchExpressions } = selector;
  const pairs = Object.entries(isFields(matchLabels) ? matchLabels : {});
  const expressions = Array.isArray(matchExpressions) ? (matchExpressions as Fields[]) : [];
  return (
    pairs.every(([name, value]) => labelIn(labels, name) === value) &&
    expressions.every((expression) => holds(expression, labels))
  );
}
