import { type Fields, isFields } from '../objects/object.ts';

type Labels = Readonly<Record<string, string>>;

const operators: Readonly<Record<string, (value: string | undefined, values: readonly unknown[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

const holds = ({ key, operator, values }: Fields, labels: Labels): boolean =>
  operators[String(operator)]?.(labels[String(key)], Array.isArray(values) ? values : []) ?? false;

/** Whether a LabelSelector, as objects hold it, selects an object with these labels. An empty one selects everything, an absent one too. */
export function selectsLabels(selector: unknown, labels: Labels = {}): boolean {
  if (!isFields(selector)) return true;
  const { matchLabels, matchExpressions } = selector;
  const pairs = Object.entries(isFields(matchLabels) ? matchLabels : {});
  const expressions = Array.isArray(matchExpressions) ? (matchExpressions as Fields[]) : [];
  return (
    pairs.every(([name, value]) => labels[name] === value) &&
    expressions.every((expression) => holds(expression, labels))
  );
}
