/** Formats label selectors as apimachinery's `labels.Selector.String()`. */

import { type Fields, isFields } from '../object.ts';

/** Formats a requirement by its operator. */
const formats: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

function expressionText({ key, operator, values }: Fields): string {
  const list = Array.isArray(values) ? values.map(String).sort().join(',') : '';
  return formats[String(operator)]?.(String(key), list) ?? '';
}

/** Formats a LabelSelector: its requirements sorted by key, the values of each sorted; empty when it selects everything. */
export function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = isFields(selector) ? selector : {};
  const pairs = Object.entries(isFields(matchLabels) ? matchLabels : {});
  const expressions = Array.isArray(matchExpressions) ? (matchExpressions as Fields[]) : [];
  const requirements = [
    ...pairs.map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...expressions.map((expression) => ({ key: String(expression.key), text: expressionText(expression) })),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}
