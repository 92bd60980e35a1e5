/** Bounds the quantities of a pod spec, which an API server computes with all their digits. */

import { excerpt } from './validation-result.ts';

/** Limit of the characters of a quantity; `9223372036854775807` has 19. */
const maxLength = 64;

/** Largest power of ten of an exponent, of either sign. API servers cap amounts at 2^63 - 1. */
const maxPower = 99;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Members whose values are amounts by resource. */
const amountLists: ReadonlySet<string> = new Set(['limits', 'requests', 'overhead', 'capacity']);

/** Members that are amounts. */
const amounts: ReadonlySet<string> = new Set(['sizeLimit', 'divisor']);

/** Explains why a quantity is out of bounds; undefined when it is not. Invalid quantities are left to the API server. */
function excessIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const [, power = ''] = /[eE][+-]?0*(\d+)$/.exec(text.slice(-maxLength)) ?? [];
  if (text.length > maxLength) return `must have at most ${maxLength} characters`;
  return Number(power) > maxPower ? `must have an exponent of at most ${maxPower}` : undefined;
}

/** Returns the path of a member. */
const pathOf = (path: string, parent: object, key: string): string =>
  Array.isArray(parent) ? `${path}[${key}]` : `${path}.${excerpt(key)}`;

/** Value of a template that is a quantity. */
interface Amount {
  readonly path: string;
  readonly value: unknown;
}

/** Iterates over the quantities of a part of a template. */
function* amountsIn(path: string, parent: object, areAmounts = false): Generator<Amount> {
  for (const [key, value] of Object.entries(parent)) {
    const member = pathOf(path, parent, key);
    if (areAmounts || amounts.has(key)) yield { path: member, value };
    if (isContainer(value)) yield* amountsIn(member, value, amountLists.has(key));
  }
}

/**
 * Describes the first quantity of a pod spec whose digits or exponent are out of bounds: its path and the bound; undefined without one. kube-apiserver
 * is busy with `1e999999999` for more than ten seconds. `isPending` reports values that are not validated yet. The spec must be bounded in size and depth.
 */
export function excessiveQuantity(spec: object, isPending: (value: unknown) => boolean): string | undefined {
  for (const { path, value } of amountsIn('template', spec)) {
    const excess = excessIn(value);
    if (excess !== undefined && !isPending(value)) return `${path}: ${excess}, not ${excerpt(JSON.stringify(value))}`;
  }
  return undefined;
}
