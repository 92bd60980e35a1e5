/** Splits expressions into tokens. */

import type { Fault } from './expression-errors.ts';

/** Kind of a token; signs and keywords are their own kind. */
export type TokenKind = string;

/** Token of an expression. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Position in characters. */
  readonly at: number;
}

/** Kind of the token at the end of an expression. */
export const endKind = '<EOF>';

const escaped = String.raw`\\(?:[abfnrtv"'\\?\u0060]|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-3][0-7]{2})`;

const quoted = (quote: string): string => `${quote}(?:${escaped}|[^\\\\${quote}\\n\\r])*${quote}`;
const tripled = (quote: string): string => `${quote.repeat(3)}(?:${escaped}|[^\\\\])*?${quote.repeat(3)}`;
const rawText = `[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\\n\\r]*"|'[^'\\n\\r]*')`;
const text = `(?:${tripled('"')}|${tripled("'")}|${quoted('"')}|${quoted("'")}|${rawText})`;

/** Token patterns by kind; the longest match wins, then the first. */
const words: readonly (readonly [TokenKind, RegExp])[] = [
  ['space', /[\t \r\n\f]+/uy],
  ['space', /\/\/[^\n]*/uy],
  ['sign', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/uy],
  ['NUM_FLOAT', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/uy],
  ['NUM_INT', /(?:0x[\da-fA-F]+|\d+)/uy],
  ['NUM_UINT', /(?:0x[\da-fA-F]+|\d+)[uU]/uy],
  ['STRING', new RegExp(text, 'uy')],
  ['BYTES', new RegExp(`[bB]${text}`, 'uy')],
  ['IDENTIFIER', /[A-Za-z_][A-Za-z\d_]*/uy],
  ['ESC_IDENTIFIER', /`[A-Za-z\d_.\-/ ]+`/uy],
];

const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** Patterns of incomplete tokens. */
const starts: readonly RegExp[] = [
  new RegExp(`[bBrR]{0,2}"(?:${escaped}|[^\\\\"\\n\\r])*`, 'uy'),
  new RegExp(`[bBrR]{0,2}'(?:${escaped}|[^\\\\'\\n\\r])*`, 'uy'),
  /`[A-Za-z\d_.\-/ ]*/uy,
  /[=&|]/uy,
];

function lengthOf(pattern: RegExp, source: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(source) ? pattern.lastIndex - index : 0;
}

function wordAt(source: string, index: number): { readonly kind: TokenKind; readonly length: number } {
  let best = { kind: '', length: 0 };
  for (const [kind, pattern] of words) {
    const length = lengthOf(pattern, source, index);
    if (length > best.length) best = { kind, length };
  }
  return best;
}

/** Returns the length of an invalid token: its valid start and the unexpected character. */
function strayLength(source: string, index: number): number {
  const begun = Math.max(...starts.map((pattern) => lengthOf(pattern, source, index)));
  const isEscape = begun > 0 && source[index + begun] === '\\';
  return Math.min(begun + (isEscape ? 2 : 1), source.length - index);
}

/** Tokenizes an expression; returns tokens, the end last, and errors. Positions count characters, not UTF-16 units. */
export function tokensOf(source: string): {
  readonly tokens: readonly Token[];
  readonly faults: readonly Fault[];
} {
  const tokens: Token[] = [];
  const faults: Fault[] = [];
  let at = 0;
  for (let index = 0; index < source.length; ) {
    const word = wordAt(source, index);
    const length = word.length || strayLength(source, index);
    const part = source.slice(index, index + length);
    if (word.length === 0) faults.push({ at, message: `Syntax error: token recognition error at: '${part}'` });
    else if (word.kind !== 'space') {
      const isOwn = word.kind === 'sign' || keywords.has(part);
      tokens.push({ kind: isOwn ? part : word.kind, text: part, at });
    }
    index += length;
    at += [...part].length;
  }
  tokens.push({ kind: endKind, text: '<EOF>', at });
  return { tokens, faults };
}
