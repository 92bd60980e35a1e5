/** Syntax errors in the words of cel-go's parser. */

import type { Fault } from './expression-errors.ts';
import type { Token, TokenKind } from './tokens.ts';

/** Tokens that can begin an operand. */
export const operandKinds: readonly TokenKind[] = [
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];

/** Order of tokens in messages. */
const order: readonly TokenKind[] =
  '[ ] { } ( ) . , - ! ? : true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER'.split(
    ' ',
  );

/** Sorts and deduplicates tokens for messages. */
export const expectable = (kinds: readonly TokenKind[]): readonly TokenKind[] =>
  order.filter((kind) => kinds.includes(kind));

const isNamed = (kind: TokenKind): boolean => /^(?:[A-Z_]+|<EOF>)$/.test(kind);
const shown = (kind: TokenKind): string => (isNamed(kind) ? kind : `'${kind}'`);

/** Formats the expected tokens as the parser does. */
export function expecting(kinds: readonly TokenKind[]): string {
  return kinds.length === 1 ? shown(kinds[0]!) : `{${kinds.map(shown).join(', ')}}`;
}

const fault = (at: number, message: string): Fault => ({ at, message: `Syntax error: ${message}` });

/** Error for an unexpected token. */
export const mismatchedInput = ({ at, text }: Token, kinds: readonly TokenKind[]): Fault =>
  fault(at, `mismatched input '${text}' expecting ${expecting(kinds)}`);

/** Error for a superfluous token, after which the next one fits. */
export const extraneousInput = ({ at, text }: Token, kinds: readonly TokenKind[]): Fault =>
  fault(at, `extraneous input '${text}' expecting ${expecting(kinds)}`);

/** Error for a missing token, before one that may follow it. */
export const missingToken = ({ at, text }: Token, kind: TokenKind): Fault =>
  fault(at, `missing ${shown(kind)} at '${text}'`);

/** Error for tokens that begin no alternative, up to the one that does not fit. */
export function noViableAlternative(words: readonly Token[]): Fault {
  const last = words.at(-1)!;
  const input = words.map(({ kind, text }) => (kind === '<EOF>' ? '' : text)).join('');
  const [, reserved] = /^.(true|false|null)$/.exec(input) ?? [];
  return reserved === undefined
    ? fault(last.at, `no viable alternative at input '${input}'`)
    : fault(last.at, `mismatched input '${reserved}' expecting IDENTIFIER`);
}
