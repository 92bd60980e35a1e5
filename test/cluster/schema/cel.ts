import { Environment } from '@marcbachmann/cel-js';
import { parseQuantity, type Quantity } from '../kinds/quantity.ts';
import { type Fields, isFields } from '../objects/object.ts';
import { goRegExp } from './go-regexp.ts';
import { memberOf, type Structural } from './structural.ts';

const keywords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const signs: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name by which rules reach a property: names that are no identifiers are escaped. */
export const celName = (name: string): string =>
  keywords.has(name) ? `__${name}__` : name.replace(/__|[.\-/]/g, (sign) => signs[sign]!);

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  integer: (value) => (Number.isInteger(value) ? BigInt(value as number) : value),
  'date-time': (value) => (typeof value === 'string' ? new Date(value) : value),
  byte: (value) => (typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value),
};

function free(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(free);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, free(member)]));
}

/** A JSON value as CEL sees it through a schema: integers are ints, times are timestamps, property names are escaped. */
export function celValue(schema: Structural | undefined, value: unknown): unknown {
  if (schema === undefined || schema['x-kubernetes-int-or-string'] === true) return free(value);
  if (Array.isArray(value)) return value.map((item) => celValue(schema.items, item));
  if (!isFields(value)) return (readers[schema.format ?? ''] ?? readers[schema.type ?? ''])?.(value) ?? value;
  const entries = Object.entries(value).map(([name, member]) => {
    const isProperty = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    return [isProperty ? celName(name) : name, celValue(memberOf(schema, name), member)];
  });
  return Object.fromEntries(entries);
}

/** A quantity inside an expression. */
class CelQuantity {
  readonly value: Quantity;

  constructor(value: Quantity) {
    this.value = value;
  }
}

function quantityOf(text: string): CelQuantity {
  const value = parseQuantity(text);
  if (value === undefined) throw new Error(`quantities must match the regular expression, got ${text}`);
  return new CelQuantity(value);
}

const compared = (a: unknown, b: unknown): number => (a! < b! ? -1 : a! > b! ? 1 : 0);

const isSorted = (list: readonly unknown[]): boolean =>
  list.every((item, index) => index === 0 || compared(list[index - 1], item) <= 0);

function extreme(list: readonly unknown[], sign: number): unknown {
  if (list.length === 0) throw new Error('min/max called on empty list');
  return list.reduce((best, item) => (compared(item, best) * sign > 0 ? item : best));
}

function sum(list: readonly unknown[]): unknown {
  if (list.every((item) => typeof item === 'bigint'))
    return (list as bigint[]).reduce((total, item) => total + item, 0n);
  return (list as number[]).reduce((total, item) => total + Number(item), 0);
}

const found = (text: string, pattern: string): string => goRegExp(pattern)?.exec(text)?.[0] ?? '';

function matchesGo(text: string, pattern: string): boolean {
  const expression = goRegExp(pattern);
  if (expression === undefined) throw new Error(`error parsing regexp: ${pattern}`);
  return expression.test(text);
}

function allFound(text: string, pattern: string): readonly string[] {
  const expression = goRegExp(pattern);
  return expression === undefined ? [] : (text.match(new RegExp(expression.source, `${expression.flags}g`)) ?? []);
}

function isUrl(text: string): boolean {
  return URL.canParse(text) && (/^[a-z][\w+.-]*:/i.test(text) || text.startsWith('/'));
}

const byNano = (a: CelQuantity, b: CelQuantity): number => compared(a.value.nano, b.value.nano);

/** What Kubernetes adds to CEL and the library does not have: quantities, lists, regular expressions, URLs. */
function withKubernetesLibrary(environment: Environment): Environment {
  return environment
    .registerType('kubernetes.Quantity', CelQuantity)
    .registerFunction('quantity(string): kubernetes.Quantity', quantityOf)
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined)
    .registerFunction(
      'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => byNano(a, b) > 0,
    )
    .registerFunction(
      'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => byNano(a, b) < 0,
    )
    .registerFunction('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: CelQuantity, b: CelQuantity) =>
      BigInt(byNano(a, b)),
    )
    .registerFunction(
      'kubernetes.Quantity.isInteger(): bool',
      ({ value }: CelQuantity) => value.nano % 1_000_000_000n === 0n,
    )
    .registerFunction('kubernetes.Quantity.asInteger(): int', ({ value }: CelQuantity) => value.nano / 1_000_000_000n)
    .registerFunction('kubernetes.Quantity.sign(): int', ({ value }: CelQuantity) => BigInt(compared(value.nano, 0n)))
    .registerFunction('list.isSorted(): bool', isSorted)
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: readonly unknown[]) => extreme(list, -1))
    .registerFunction('list.max(): dyn', (list: readonly unknown[]) => extreme(list, 1))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) => BigInt(list.indexOf(item)))
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
      BigInt(list.lastIndexOf(item)),
    )
    .registerFunction('string.matchesGo(string): bool', matchesGo)
    .registerFunction('string.find(string): string', found)
    .registerFunction('string.findAll(string): list<string>', allFound)
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => [...text][Number(index)] ?? '')
    .registerFunction('isURL(string): bool', isUrl);
}

/** An environment for rules; `typed` ones know `self` by its schema and refuse what it does not have. */
export function createEnvironment(self?: (environment: Environment) => unknown): Environment {
  const environment = withKubernetesLibrary(
    new Environment({
      unlistedVariablesAreDyn: self === undefined,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
    }),
  );
  self?.(environment);
  return environment;
}

/** The start of a message of the library: without the source that it prints below. */
export const messageOf = (error: unknown): string => {
  const [first = ''] = String((error as Error).message).split('\n', 1);
  return first.replace(/^No such key/, 'no such key');
};

/** A value's fields, when it is an object. */
export const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});
