/** Parses CEL literals. */

import type { Literal } from './expression.ts';
import { unquote, unquotedBytes } from './string-literals.ts';
import type { TokenKind } from './tokens.ts';

const limit = 2n ** 63n;

function intOf(text: string, sign: string): bigint | undefined {
  const size = BigInt(text);
  const value = sign === '-' ? -size : size;
  return value >= limit || value < -limit ? undefined : value;
}

function uintOf(text: string): Literal['value'] | undefined {
  const uint = BigInt(text.slice(0, -1));
  return uint >= 2n * limit ? undefined : { uint };
}

const readers: Readonly<Record<TokenKind, (text: string, sign: string) => Literal['value'] | undefined>> = {
  true: () => true,
  false: () => false,
  null: () => null,
  NUM_INT: intOf,
  NUM_UINT: uintOf,
  NUM_FLOAT: (text, sign) => Number(sign + text),
  STRING: unquote,
  BYTES: (text) => unquotedBytes(text.slice(1)),
};

/** Parses a literal token with its sign; undefined for numbers out of range. */
export const literalOf = (kind: TokenKind, text: string, sign: string): Literal['value'] | undefined =>
  readers[kind]!(text, sign);

/** Reports whether a token is a literal. */
export const isLiteral = (kind: TokenKind): boolean => Object.hasOwn(readers, kind);
