/** Checks the literals of type-checked expressions. */

import { regExpFault } from '../../apimachinery/go/go-regexp.ts';
import { isSame, type Type, types, typeText, unwrap } from '../typing/cel-type.ts';
import type { Checked } from '../typing/check.ts';
import { conversions } from '../values/conversions.ts';
import { interpolate } from '../values/format-texts.ts';
import { CelError, Uint, type Value } from '../values/values.ts';
import { type Call, childrenOf, type Expression, type Literal } from './expression.ts';
import type { Fault } from './expression-errors.ts';

/** Yields all parts of an expression in visiting order, and whether each is inside a call of `format`. */
function* within(expression: Expression): Generator<readonly [Expression, boolean]> {
  const waiting: (readonly [Expression, boolean])[] = [[expression, false]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    const [one, isFormatted] = next;
    const isBelow = isFormatted || (one.kind === 'call' && one.name === 'format');
    for (const child of childrenOf(one).toReversed()) waiting.push([child, isBelow]);
  }
}

const mismatch = (at: number, expected: Type, found: Type): Fault => ({
  at,
  message: `expected type '${typeText(expected)}' but found '${typeText(found)}'`,
});

/** Returns the first part whose type differs from the earlier ones. */
function oddPart(parts: readonly (readonly [Expression, Type])[]): readonly [Expression, Type, Type] | undefined {
  const [first, ...others] = parts;
  const odd = others.find(([, type]) => !isSame(type, first![1]));
  return odd && [odd[0], first![1], odd[1]];
}

type TypeOf = (expression: Expression) => Type;

function* mixedParts(expression: Expression, typeOf: TypeOf): Generator<Fault> {
  const typed = ({ value, optional }: { readonly value: Expression; readonly optional: boolean }) =>
    [value, optional ? (unwrap(typeOf(value)) ?? types.dyn) : typeOf(value)] as const;
  const lists =
    expression.kind === 'list'
      ? [expression.items.map(typed)]
      : expression.kind === 'map'
        ? [expression.entries.map(({ key }) => [key, typeOf(key)] as const), expression.entries.map(typed)]
        : [];
  for (const parts of lists) {
    const odd = oddPart(parts);
    if (odd !== undefined) yield mismatch(odd[0].at, odd[1], odd[2]);
  }
}

const literalValue = ({ value }: Literal): Value =>
  typeof value === 'object' && value !== null && 'uint' in value ? new Uint(value.uint) : value;

/** Reports whether a literal argument is invalid for its function. */
function isUnfit({ name, args: [argument] }: Call): boolean {
  if (argument?.kind !== 'literal') return false;
  const { value } = argument;
  if (name === 'matches') return typeof value === 'string' && regExpFault(value) !== undefined;
  if (name !== 'duration' && name !== 'timestamp') return false;
  return conversions[name]!(literalValue(argument)) instanceof CelError;
}

const clauseTypes: Readonly<Record<string, readonly [string, string]>> = {
  d: ['int uint', 'decimal clause can only be used on integers'],
  f: ['double string', 'fixed-point clause can only be used on doubles'],
  e: ['double string', 'scientific clause can only be used on doubles'],
  b: ['int uint bool', 'only integers and bools can be formatted as binary'],
  x: ['int uint string bytes', 'only integers, byte buffers, and strings can be formatted as hex'],
  X: ['int uint string bytes', 'only integers, byte buffers, and strings can be formatted as hex'],
  o: ['int uint', 'octal clause can only be used on integers'],
  s: [
    'list map int uint double bool string timestamp bytes duration type null',
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ],
};

/** Returns the error of a literal format and its arguments. */
function formatFault(call: Call, typeOf: TypeOf): Fault | undefined {
  const { target, args } = call;
  const [list] = args;
  const format = target?.kind === 'literal' ? target.value : undefined;
  if (call.name !== 'format' || typeof format !== 'string' || list?.kind !== 'list') return undefined;
  let { at } = call;
  let count = 0;
  try {
    interpolate(format, list.items.length, (letter, index) => {
      count = index + 1;
      const { value } = list.items[index]!;
      const type = typeOf(value);
      const [allowed, refusal] = clauseTypes[letter]!;
      if (type.kind === 'dyn' || allowed.split(' ').includes(type.kind)) return '';
      at = value.at;
      throw new Error(`error during formatting: ${refusal}, was given ${runtimeName(type)}`);
    });
  } catch (error) {
    return { at, message: (error as Error).message };
  }
  const message = `too many arguments supplied to string.format (expected ${count}, got ${list.items.length})`;
  return list.items.length > count ? { at, message } : undefined;
}

const runtimeNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

const runtimeName = ({ kind, name }: Type): string => runtimeNames[kind] ?? name;

/** Yields the errors of literals in a well-typed expression. */
export function* literalFaults({ expression, types: known }: Checked): Generator<Fault> {
  const typeOf: TypeOf = (one) => known.get(one) ?? types.dyn;
  for (const [one, isFormatted] of within(expression)) {
    if (!isFormatted) yield* mixedParts(one, typeOf);
    if (one.kind !== 'call') continue;
    if (isUnfit(one)) yield { at: one.args[0]!.at, message: `invalid ${one.name} argument` };
    const fault = formatFault(one, typeOf);
    if (fault !== undefined) yield fault;
  }
}

const isConversion: ReadonlySet<string> = new Set('bool bytes double duration int string timestamp uint'.split(' '));

/** Returns the error of converting a literal. */
function conversionFault({ name, args: [argument] }: Call): string | undefined {
  if (!isConversion.has(name) || argument?.kind !== 'literal') return undefined;
  const made = conversions[name]!(literalValue(argument));
  return made instanceof CelError ? made.message : undefined;
}

function patternFault({ name, target, args }: Call): string | undefined {
  const pattern = args[target === undefined ? 1 : 0];
  const text = pattern?.kind === 'literal' ? pattern.value : undefined;
  const isUsed = name === 'find' || name === 'findAll' || name === 'matches';
  return isUsed && typeof text === 'string' ? regExpFault(text) : undefined;
}

/** Returns the reason why an expression cannot be planned: a constant part of it fails. */
export function unusableReason({ expression }: Checked): string | undefined {
  for (const [one] of within(expression)) {
    const reason = one.kind === 'call' ? (conversionFault(one) ?? patternFault(one)) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}
