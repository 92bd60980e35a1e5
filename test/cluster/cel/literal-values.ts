import type { Literal } from './expression.ts';
import { unquoted, unquotedBytes } from './text-literals.ts';
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
  STRING: unquoted,
  BYTES: (text) => unquotedBytes(text.slice(1)),
};

/** What a word that is a value says, with the sign before it; undefined for numbers that are too large. */
export const literalOf = (kind: TokenKind, text: string, sign: string): Literal['value'] | undefined =>
  readers[kind]!(text, sign);

/** Whether a word is a value. */
export const isLiteral = (kind: TokenKind): boolean => Object.hasOwn(readers, kind);
