/** Runtime costs of CEL calls. */

import { formatIn } from '../functions/format-functions.ts';
import { countWork } from '../values/uncosted-work.ts';
import { CelError, List, MapValue, Opaque, Optional, sizeOf, type Value } from '../values/values.ts';

/** Cost of reading a text, per character. */
export const perCharacter = 0.1;
/** Cost of a regular expression, per character of the pattern. */
export const perRegexCharacter = 0.25;

/** Returns the size of a value for its cost; values without a size count as one. */
function weightOf(value: Value | undefined): number {
  if (value instanceof Optional && value.value !== undefined) return weightOf(value.value);
  if (value instanceof Opaque) return /^net\./.test(value.type.name) ? value.text.length : 1;
  return value === undefined ? 1 : (sizeOf(value) ?? 1);
}

/** Returns the cost of traversing a value. */
function traversal(value: Value | undefined): number {
  countWork(1);
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * perCharacter);
  if (value instanceof Uint8Array) return Math.trunc(value.length * perCharacter);
  if (value instanceof List) return value.items.reduce<number>((sum, item) => sum + traversal(item), 0);
  if (!(value instanceof MapValue)) return 1;
  const { members } = value;
  return [...members.keys()].reduce<number>((sum, key) => sum + traversal(key) + traversal(members.get(key)), 0);
}

type Cost = (args: readonly Value[], overload: string | undefined) => number;

/** Returns the size of a joined list; 1 for one that cannot be joined. */
function joinedSize(list: Value | undefined, separator: Value | undefined): number {
  if (!(list instanceof List)) return 1;
  const isOfTexts = list.items.every((item) => typeof item === 'string');
  if (!isOfTexts) return 1;
  const gaps = weightOf(separator ?? '') * Math.max(0, list.length - 1);
  return list.items.reduce<number>((sum, item) => sum + weightOf(item), gaps);
}

const reading =
  (times = 1): Cost =>
  ([text]) =>
    Math.ceil(weightOf(text) * times * perCharacter);

const regex = (text: Value | undefined, length: number): number =>
  Math.ceil((1 + weightOf(text)) * perCharacter) * Math.ceil(length * perRegexCharacter);

const inNetwork =
  (more: (own: number) => number): Cost =>
  ([network, other]) => {
    const own = weightOf(network);
    const parsing = typeof other === 'string' ? Math.ceil(weightOf(other) * perCharacter) : 0;
    return Math.ceil(2 * own * perCharacter) + more(own) + parsing;
  };

const sets =
  (factor: number): Cost =>
  ([a, b]) =>
    1 + weightOf(a) * weightOf(b) * factor;

const smaller: Cost = ([a, b]) => Math.ceil(Math.min(weightOf(a), weightOf(b)) * perCharacter);

const byNames = (names: string, cost: Cost): Readonly<Record<string, Cost>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, cost]));

/** Costs by function, where they are not 1. */
const byFunction: Readonly<Record<string, Cost>> = {
  check: () => 350_000,
  ...byNames('isSorted sum max min indexOf lastIndexOf', ([list]) => traversal(list)),
  ...byNames(
    'url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver',
    reading(),
  ),
  ...byNames('replace split ip.isCanonical', reading(2)),
  join: ([list, separator]) => Math.ceil(joinedSize(list, separator) * 2 * perCharacter),
  ...byNames('find findAll', ([text, pattern]) => regex(text, weightOf(pattern))),
  ip: (args, overload) => (overload === 'cidr_ip' ? 1 : reading()(args, overload)),
  containsIP: inNetwork(() => 0),
  containsCIDR: inNetwork((own) => Math.ceil(own * perCharacter) + 1),
  validate: ([format, text]) => regex(text, formatIn(format)?.length ?? 1),
  fieldSelector: ([, text]) => 10 + Math.ceil(weightOf(text) * perCharacter) + Math.ceil(weightOf(text) * 0.5) * 50,
  labelSelector: ([, text]) => 10 + Math.ceil(weightOf(text) * perCharacter) + Math.ceil(weightOf(text) * 0.5) * 50,
};

/** Costs of standard overloads, where they are not 1; they apply only to calls with a known overload. */
const byOverload: Readonly<Record<string, Cost>> = {
  ...byNames(
    'starts_with_string ends_with_string string_to_bytes bytes_to_string strings_quote string_format',
    reading(),
  ),
  in_list: ([, list]) => weightOf(list),
  ...byNames('equals not_equals', (args, overload) => (args[0] instanceof Opaque ? 1 : smaller(args, overload))),
  ...Object.fromEntries(
    ['less', 'less_equals', 'greater', 'greater_equals'].flatMap((order) =>
      ['string', 'bytes'].map((type) => [`${order}_${type}`, smaller] as const),
    ),
  ),
  ...byNames('add_string add_bytes', ([a, b]) => Math.ceil((weightOf(a) + weightOf(b)) * perCharacter)),
  ...byNames('matches_string', ([text, pattern]) => regex(text, weightOf(pattern))),
  contains_string: ([text, part]) =>
    Math.ceil(weightOf(text) * perCharacter) * Math.ceil(weightOf(part) * perCharacter),
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
};

/** Returns the cost of a call in CEL's units, before it is made; `overload` is undefined for a dynamic dispatch. */
export function callCost(
  { name, overload }: { readonly name: string; readonly overload: string | undefined },
  args: readonly Value[],
): number {
  const cost = byFunction[name] ?? byOverload[overload ?? ''];
  return cost === undefined || args.some((one) => one instanceof CelError) ? 1 : cost(args, overload);
}
