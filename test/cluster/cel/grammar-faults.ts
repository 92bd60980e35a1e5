import type { Fault } from './faults.ts';
import type { Token, TokenKind } from './tokens.ts';

/** What may begin an operand. */
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

/** The order in which kinds are listed. */
const order: readonly TokenKind[] =
  '[ ] { } ( ) . , - ! ? : true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER'.split(
    ' ',
  );

/** Kinds in the order in which they are listed, each once. */
export const expectable = (kinds: readonly TokenKind[]): readonly TokenKind[] =>
  order.filter((kind) => kinds.includes(kind));

const isNamed = (kind: TokenKind): boolean => /^(?:[A-Z_]+|<EOF>)$/.test(kind);
const shown = (kind: TokenKind): string => (isNamed(kind) ? kind : `'${kind}'`);

/** Kinds as the messages of the parser list them. */
export function expecting(kinds: readonly TokenKind[]): string {
  return kinds.length === 1 ? shown(kinds[0]!) : `{${kinds.map(shown).join(', ')}}`;
}

const fault = (at: number, message: string): Fault => ({ at, message: `Syntax error: ${message}` });

/** A word that fits nothing. */
export const mismatched = ({ at, text }: Token, kinds: readonly TokenKind[]): Fault =>
  fault(at, `mismatched input '${text}' expecting ${expecting(kinds)}`);

/** A word that is too much: the next one would have fitted. */
export const extraneous = ({ at, text }: Token, kinds: readonly TokenKind[]): Fault =>
  fault(at, `extraneous input '${text}' expecting ${expecting(kinds)}`);

/** A sign that is not there, before a word that may follow it. */
export const missing = ({ at, text }: Token, kind: TokenKind): Fault =>
  fault(at, `missing ${shown(kind)} at '${text}'`);

/** Words that begin nothing, from the first of them to the one that does not fit. */
export function notViable(words: readonly Token[]): Fault {
  const last = words.at(-1)!;
  const input = words.map(({ kind, text }) => (kind === '<EOF>' ? '' : text)).join('');
  const [, reserved] = /^.(true|false|null)$/.exec(input) ?? [];
  return reserved === undefined
    ? fault(last.at, `no viable alternative at input '${input}'`)
    : fault(last.at, `mismatched input '${reserved}' expecting IDENTIFIER`);
}
