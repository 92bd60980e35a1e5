/** JSONPath of printer columns. */

import { equal, isFields } from '../../apimachinery/object.ts';

/** Step of a path: maps values to those below them. */
type Step = (values: readonly unknown[]) => readonly unknown[];

const membersOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isFields(value) ? Object.values(value) : [];

const member =
  (name: string): Step =>
  (values) =>
    values.flatMap((value) => (isFields(value) && Object.hasOwn(value, name) ? [value[name]] : []));

const every: Step = (values) => values.flatMap(membersOf);

const slice =
  (from: number, to: number | undefined): Step =>
  (values) =>
    values.flatMap((value) => (Array.isArray(value) ? value.slice(from, to) : []));

const index =
  (at: number): Step =>
  (values) =>
    values.flatMap((value) => (Array.isArray(value) && value.at(at) !== undefined ? [value.at(at)] : []));

const compare: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': equal,
  '!=': (a, b) => !equal(a, b),
  '<': (a, b) => Number(a) < Number(b),
  '<=': (a, b) => Number(a) <= Number(b),
  '>': (a, b) => Number(a) > Number(b),
  '>=': (a, b) => Number(a) >= Number(b),
};

function literalOf(text: string): unknown {
  const quoted = /^(["'])(.*)\1$/.exec(text);
  if (quoted !== null) return quoted[2];
  return text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : Number(text);
}

function filter(condition: string): Step {
  const [operator] = /==|!=|<=|>=|<|>/.exec(condition) ?? [];
  const end = operator === undefined ? condition.length : condition.indexOf(operator);
  const steps = stepsOf(condition.slice(0, end).trim().replace(/^@/, ''));
  const expected = literalOf(condition.slice(end + (operator ?? '').length).trim());
  const holds = (item: unknown): boolean => {
    const found = steps.reduce<readonly unknown[]>((values, step) => step(values), [item]);
    return operator === undefined ? found.length > 0 : found.some((value) => compare[operator]!(value, expected));
  };
  return (values) => values.flatMap((value) => membersOf(value).filter(holds));
}

function bracket(text: string): Step {
  const inside = text.trim();
  if (inside === '*') return every;
  if (inside.startsWith('?(')) return filter(inside.slice(2, -1));
  if (/^(["']).*\1$/.test(inside)) return member(inside.slice(1, -1));
  const [, from, colon, to] = /^(-?\d*)(:?)(-?\d*)$/.exec(inside) ?? [];
  if (colon === ':') return slice(Number(from || 0), to ? Number(to) : undefined);
  return index(Number(from));
}

const stepPattern =
  /\.?\[((?:\?\((?:[^()"']|"[^"]*"|'[^']*')*\)|"[^"]*"|'[^']*'|[^\][]*))\]|\.\*|\.((?:\\.|[^.[\\])+)/g;

function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(stepPattern)].map(([whole, inside, name]) => {
    if (inside !== undefined) return bracket(inside);
    return whole === '.*' || name === undefined ? every : member(name.replace(/\\(.)/g, '$1'));
  });
}

/** Parses a printer column's path (kubectl's JSONPath without braces); returns a function that finds all matches in order. */
export function jsonPath(path: string): (object: unknown) => readonly unknown[] {
  const steps = stepsOf(path);
  return (object) => steps.reduce<readonly unknown[]>((values, step) => step(values), [object]);
}
