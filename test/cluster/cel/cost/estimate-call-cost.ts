/** Estimates the worst-case cost of CEL calls. */

import {
  fixed,
  productOf,
  type Range,
  scaled,
  sumOf,
  unionOf,
  unknownRange,
  unlimited,
} from '../functions/size-ranges.ts';
import { isSame, type Type } from '../typing/cel-type.ts';
import { perCharacter, perRegexCharacter } from './runtime-call-cost.ts';

/** Operand of a call. */
export interface Operand {
  readonly type: Type;
  readonly size: Range | undefined;
  /** Size of the items of a list, where it is known. */
  readonly itemSize: Range | undefined;
  /** Value of an integer literal. */
  readonly literal?: number;
}

/** Worst-case cost of a call without its operands, and the size of its result. */
export interface Estimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** Operands of a call: target and arguments. */
export interface Operands {
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

type Estimator = (operands: Operands, overload: string) => Estimate | undefined;

const sizeOf = (operand: Operand | undefined): Range => operand?.size ?? unknownRange;
const reading = (operand: Operand | undefined, factor = 1): Range => scaled(sizeOf(operand), factor * perCharacter);
const always =
  (cost: number): Estimator =>
  () => ({ cost: fixed(cost) });

const ofArgument =
  (factor = 1): Estimator =>
  ({ args: [text] }) => ({ cost: reading(text, factor) });

const ofTarget: Estimator = ({ target }) =>
  target === undefined ? undefined : { cost: reading(target), size: sizeOf(target) };

const selector: Estimator = ({ args: [text] }) => ({
  cost: sumOf(fixed(10), reading(text), scaled(scaled(sizeOf(text), 0.5), 50)),
});

/** Estimates one unit per item, plus reading items that are texts. */
const eachItem: Estimator = ({ target }) => {
  if (target === undefined) return undefined;
  const [item] = target.type.params;
  if (item === undefined) return { cost: reading(target) };
  const isText = item.kind === 'string' || item.kind === 'bytes';
  const one = isText ? sumOf(fixed(1), scaled(target.itemSize ?? unknownRange, perCharacter)) : fixed(1);
  return { cost: productOf(sizeOf(target), one) };
};

function replacements(
  text: number,
  [from, to]: readonly [Range, Range],
): { readonly most: Range; readonly kept: number } {
  if (from.min === 0) return { most: fixed(Math.min(text + 1, unlimited)), kept: text };
  if (to.max <= from.min) return { most: fixed(0), kept: text };
  return { most: fixed(Math.ceil(text / from.min)), kept: 0 };
}

const replace: Estimator = ({ target, args: [from, to] }) => {
  if (target === undefined) return undefined;
  const { most, kept } = replacements(sizeOf(target).max, [sizeOf(from), sizeOf(to)]);
  const longest = sumOf(productOf(most, fixed(sizeOf(to).max)), fixed(kept));
  return { cost: reading(target, 2), size: { min: 0, max: longest.max } };
};

const split: Estimator = ({ target, args: [, count] }) => {
  if (target === undefined) return undefined;
  return { cost: reading(target, 2), size: { min: 0, max: count?.literal ?? sizeOf(target).max } };
};

const less = (count: number): number => (count > 0 && count < unlimited ? count - 1 : count);

const join: Estimator = ({ target, args: [separator] }) => {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const items = productOf(count, target.itemSize ?? unknownRange);
  const gaps = { min: less(count.min), max: less(count.max) };
  const size = separator === undefined ? items : sumOf(items, productOf(sizeOf(separator), gaps));
  return { cost: scaled(size, perCharacter), size };
};

const regex = (text: Operand | undefined, pattern: Operand | undefined): Range =>
  productOf(scaled(sumOf(sizeOf(text), fixed(1)), perCharacter), scaled(sizeOf(pattern), perRegexCharacter));

const find: Estimator = ({ target, args: [pattern] }) => {
  if (target === undefined) return undefined;
  return { cost: regex(target, pattern), size: { min: 0, max: sizeOf(target).max } };
};

const bytes: Range = { min: 4, max: 16 };
const twice = scaled(sumOf(bytes, bytes), perCharacter);

const inNetwork =
  (more: Range): Estimator =>
  ({ args: [other] }, overload) => ({
    cost: sumOf(twice, more, overload.endsWith('_string') ? reading(other) : fixed(0)),
  });

const byNames = (names: string, estimator: Estimator): Readonly<Record<string, Estimator>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, estimator]));

/** Estimators by function; undefined results fall back to the overload. */
const byFunction: Readonly<Record<string, Estimator>> = {
  check: always(350_000),
  ...byNames('serviceAccount path group resource subresource namespace name allowed reason error errored', always(1)),
  ...byNames('fieldSelector labelSelector', selector),
  ...byNames('isSorted sum max min indexOf lastIndexOf', eachItem),
  url: ({ args: [text] }) => ({ cost: reading(text), size: sizeOf(text) }),
  ...byNames('lowerAscii upperAscii substring trim', ofTarget),
  replace,
  split,
  join,
  ...byNames('find findAll', find),
  ...byNames('cidr isIP isCIDR quantity isQuantity semver isSemver', ofArgument()),
  ip: (operands, overload) => (overload === 'cidr_ip' ? { cost: fixed(1) } : ofArgument()(operands, overload)),
  'ip.isCanonical': ofArgument(2),
  containsIP: inNetwork(fixed(0)),
  containsCIDR: inNetwork(sumOf(scaled(bytes, perCharacter), fixed(1))),
  validate: ({ args: [text] }) => ({ cost: scaled(reading(text), 128 * perRegexCharacter) }),
};

const opaqueNames: ReadonlySet<string> = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);

/** Estimates reading the shorter operand. */
const smaller: Estimator = ({ args: [a, b] }) => {
  const most = Math.min(sizeOf(a).max, sizeOf(b).max);
  return { cost: scaled({ min: most > 0 ? 1 : 0, max: most }, perCharacter) };
};

const equality: Estimator = (operands, overload) => {
  const [a, b] = operands.args;
  const isOpaque = a && b && isSame(a.type, b.type) && opaqueNames.has(a.type.name) && overload === 'equals';
  return isOpaque ? { cost: fixed(1) } : smaller(operands, overload);
};

const sets =
  (factor: number): Estimator =>
  ({ args: [a, b] }) => ({ cost: sumOf(scaled(productOf(sizeOf(a), sizeOf(b)), factor), fixed(1)) });

const addedTexts: Estimator = ({ args: [a, b] }) => {
  const size = sumOf(sizeOf(a), sizeOf(b));
  return { cost: scaled(size, perCharacter), size };
};

const orders = ['less', 'less_equals', 'greater', 'greater_equals'];

/** Estimators by overload. */
const byOverload: Readonly<Record<string, Estimator>> = {
  string_format: ({ target }) => ({ cost: reading(target) }),
  string_to_bytes: ({ args: [text] }) => ({
    cost: reading(text),
    size: { min: sizeOf(text).min, max: Math.min(4 * sizeOf(text).max, unlimited) },
  }),
  bytes_to_string: ({ args: [text] }) => ({
    cost: reading(text),
    size: { min: Math.trunc(sizeOf(text).min / 4), max: sizeOf(text).max },
  }),
  strings_quote: ({ args: [text] }) => ({
    cost: reading(text),
    size: { min: sizeOf(text).min + 2, max: Math.min(2 * sizeOf(text).max + 2, unlimited) },
  }),
  ...byNames('starts_with_string ends_with_string', ofArgument()),
  in_list: ({ args: [, list] }) => ({ cost: sizeOf(list) }),
  matches_string: ({ target, args: [pattern] }) => ({ cost: regex(target, pattern) }),
  contains_string: ({ target, args: [part] }) => ({ cost: productOf(reading(target), reading(part)) }),
  ...byNames('add_string add_bytes', addedTexts),
  add_list: ({ args: [a, b] }) => ({ cost: fixed(1), size: sumOf(sizeOf(a), sizeOf(b)) }),
  ...byNames(orders.flatMap((order) => [`${order}_string`, `${order}_bytes`]).join(' '), smaller),
  ...byNames('equals not_equals', equality),
  ...byNames('list_sets_contains_list list_sets_intersects_list', sets(1)),
  list_sets_equivalent_list: sets(2),
  ...byNames('logical_and logical_or', always(0)),
  conditional: ({ args: [, yes, no] }) => ({ cost: fixed(0), size: unionOf(sizeOf(yes), sizeOf(no)) }),
};

/** Estimates an overload of a function, without its operands. */
export const callEstimate = (name: string, overload: string, operands: Operands): Estimate =>
  byFunction[name]?.(operands, overload) ?? byOverload[overload]?.(operands, overload) ?? { cost: fixed(1) };
