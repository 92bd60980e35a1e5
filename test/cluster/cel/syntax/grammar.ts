/** Recursive-descent parser of the CEL grammar. */

import { levels, reserved } from '../reserved-words.ts';
import { checkDepth, checkLength, operatorChain } from './depth.ts';
import type { Entry, Expression, FieldInit, ListLiteral } from './expression.ts';
import { isLiteral, literalOf } from './literal-values.ts';
import { expandMacro, MacroError } from './macros.ts';
import { expectable, operandKinds } from './syntax-errors.ts';
import type { TokenReader } from './token-reader.ts';
import { endKind, type Token, type TokenKind } from './tokens.ts';

/** Tokens that may end a list, an index or a call. */
const afterClosing: readonly TokenKind[] = [endKind, ')', ']', '}', ',', ':'];

const isOperand = (kind: TokenKind | undefined): boolean => kind !== undefined && operandKinds.includes(kind);

/** Parser of CEL's grammar; its reader collects the errors. */
export class Parser {
  readonly #reader: TokenReader;
  #depth = 0;

  constructor(reader: TokenReader) {
    this.#reader = reader;
  }

  whole(): Expression {
    const expression = this.#expression();
    if (this.#reader.token.kind !== endKind) this.#reader.expect(endKind);
    return expression;
  }

  #nothing(): Expression {
    return { kind: 'literal', at: this.#reader.token.at, value: null };
  }

  /** Parses an expression; `others` are further expected tokens, for error messages only. */
  #expression(others: readonly TokenKind[] = []): Expression {
    this.#depth += 1;
    checkDepth(this.#depth);
    const made = this.#conditional(others);
    this.#depth -= 1;
    return made;
  }

  #conditional(others: readonly TokenKind[]): Expression {
    const { token } = this.#reader;
    if (others.length > 0 && !isOperand(token.kind) && !isOperand(this.#reader.peek())) {
      this.#reader.mismatch(expectable([...operandKinds, ...others]));
      return this.#nothing();
    }
    const condition = this.#binary(0);
    const sign = this.#reader.taken('?');
    if (sign === undefined) return condition;
    const yes = this.#binary(0);
    this.#reader.expect(':', operandKinds);
    return { kind: 'call', at: sign.at, name: '_?_:_', args: [condition, yes, this.#expression()] };
  }

  #binary(level: number): Expression {
    const signs = levels[level];
    if (signs === undefined) return this.#unary();
    const terms = [this.#binary(level + 1)];
    const taken: Token[] = [];
    while (signs.includes(this.#reader.token.kind)) {
      taken.push(this.#reader.take());
      terms.push(this.#binary(level + 1));
    }
    return operatorChain(taken, terms);
  }

  #unary(): Expression {
    const { kind, at } = this.#reader.token;
    const isNumber = kind === '-' && /^NUM_(?:INT|FLOAT)$/.test(this.#reader.peek()!);
    if ((kind !== '!' && kind !== '-') || isNumber) return this.#member();
    let count = 0;
    while (this.#reader.taken(kind)) count += 1;
    if (this.#reader.token.kind === endKind) {
      this.#reader.skip(operandKinds);
      return this.#nothing();
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : { kind: 'call', at, name: kind === '!' ? '!_' : '-_', args: [operand] };
  }

  #member(): Expression {
    let operand = this.#primary();
    for (let parts = 1; ; parts += 1) {
      checkLength(parts);
      if (this.#reader.token.kind === '.') operand = this.#selected(operand);
      else if (this.#reader.token.kind === '[') operand = this.#indexed(operand);
      else return operand;
    }
  }

  #selected(operand: Expression): Expression {
    const dot = this.#reader.take();
    const optional = this.#reader.taken('?');
    const name = this.#reader.token;
    if (name.kind === 'ESC_IDENTIFIER') {
      this.#reader.note({ at: name.at, message: "unsupported syntax: '`'" });
    } else if (name.kind !== 'IDENTIFIER') {
      this.#reader.unviable([dot, ...(optional ? [optional] : [])]);
      return operand;
    }
    this.#reader.take();
    if (optional) {
      const field: Expression = { kind: 'literal', at: name.at, value: name.text };
      return { kind: 'call', at: dot.at, name: '_?._', args: [operand, field] };
    }
    const open = this.#reader.taken('(');
    if (open === undefined) return { kind: 'select', at: dot.at, operand, field: name.text, test: false };
    return this.#call(name.text, { at: open.at, target: operand });
  }

  #indexed(operand: Expression): Expression {
    const { at } = this.#reader.take();
    const name = this.#reader.taken('?') ? '_[?_]' : '_[_]';
    const index = this.#expression(['?']);
    this.#reader.expect(']', afterClosing);
    return { kind: 'call', at, name, args: [operand, index] };
  }

  #call(name: string, written: { readonly at: number; readonly target?: Expression }): Expression {
    const args: Expression[] = [];
    if (this.#reader.token.kind !== ')') {
      args.push(this.#expression([')']));
      while (this.#reader.taken(',')) args.push(this.#expression());
    }
    this.#reader.expect(')', afterClosing);
    try {
      return expandMacro(name, { ...written, args });
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      this.#reader.note({ at: error.at, message: error.message });
      return { kind: 'literal', at: error.at, value: null };
    }
  }

  #primary(): Expression {
    const { kind } = this.#reader.token;
    if (!isOperand(kind)) {
      if (!isOperand(this.#reader.peek())) {
        this.#reader.mismatch(operandKinds);
        return this.#nothing();
      }
      this.#reader.skip(operandKinds);
      return this.#unary();
    }
    if (kind === '(') return this.#nested();
    if (kind === '[') return this.#list();
    if (kind === '{') return this.#map();
    return isLiteral(kind) || kind === '-' ? this.#literal() : this.#named();
  }

  #nested(): Expression {
    this.#reader.take();
    const expression = this.#expression();
    this.#reader.expect(')', afterClosing);
    return expression;
  }

  /** Parses comma-separated parts up to the end of a list, map or message; a trailing comma is allowed. */
  #parts(end: TokenKind, others: readonly TokenKind[], part: () => void): void {
    const { token } = this.#reader;
    if (token.kind !== end && token.kind !== ',') {
      if (!others.includes(token.kind) && !isOperand(token.kind))
        this.#reader.mismatch(expectable([end, ',', ...others]));
      else part();
      while (this.#reader.token.kind === ',' && this.#reader.peek() !== end) {
        this.#reader.take();
        part();
      }
    }
    this.#reader.taken(',');
    this.#reader.expect(end, [], [end, ',']);
  }

  #list(): ListLiteral {
    const { at } = this.#reader.take();
    const items: { readonly value: Expression; readonly optional: boolean }[] = [];
    this.#parts(']', [...operandKinds, '?'], () => {
      const optional = this.#reader.taken('?') !== undefined;
      items.push({ value: this.#expression(), optional });
    });
    return { kind: 'list', at, items };
  }

  #map(): Expression {
    const { at } = this.#reader.take();
    const entries: Entry[] = [];
    this.#parts('}', [...operandKinds, '?'], () => {
      const optional = this.#reader.taken('?') !== undefined;
      const key = this.#expression();
      const colon = this.#reader.expect(':', operandKinds) ?? this.#reader.token;
      entries.push({ at: colon.at, key, value: this.#expression(), optional });
    });
    return { kind: 'map', at, entries };
  }

  #named(): Expression {
    const start = this.#reader.token;
    const dot = this.#reader.taken('.');
    if (this.#reader.token.kind !== 'IDENTIFIER') {
      this.#reader.unviable([start]);
      return this.#nothing();
    }
    const message = this.#message(dot === undefined ? '' : '.');
    if (message !== undefined) return message;
    const { text, at } = this.#reader.take();
    const open = this.#reader.taken('(');
    if (reserved.has(text)) {
      this.#reader.note({ at: start.at, message: `reserved identifier: ${text}` });
      if (open === undefined) return { kind: 'literal', at: start.at, value: null };
    }
    const name = dot === undefined ? text : `.${text}`;
    return open === undefined ? { kind: 'ident', at, name } : this.#call(name, { at: open.at });
  }

  /** Parses `a.b.C{x: y}`; returns undefined and consumes nothing when no brace follows the names. */
  #message(leading: string): Expression | undefined {
    let end = 0;
    while (this.#reader.peek(end + 1) === '.' && this.#reader.peek(end + 2) === 'IDENTIFIER') end += 2;
    if (this.#reader.peek(end + 1) !== '{') return undefined;
    const name = Array.from({ length: end + 1 }, () => this.#reader.take().text).join('');
    const { at } = this.#reader.take();
    const fields: FieldInit[] = [];
    this.#parts('}', ['?', 'IDENTIFIER', 'ESC_IDENTIFIER'], () => {
      const optional = this.#reader.taken('?') !== undefined;
      const field = this.#reader.expect('IDENTIFIER')?.text ?? '';
      const colon = this.#reader.expect(':', operandKinds) ?? this.#reader.token;
      fields.push({ at: colon.at, field, value: this.#expression(), optional });
    });
    return { kind: 'message', at, name: leading + name, fields };
  }

  #literal(): Expression {
    const { at } = this.#reader.token;
    const sign = this.#reader.taken('-') ? '-' : '';
    const { kind, text } = this.#reader.take();
    const value = literalOf(kind, text, sign);
    if (value !== undefined) return { kind: 'literal', at, value };
    this.#reader.note({ at, message: `invalid ${kind === 'NUM_UINT' ? 'uint' : 'int'} literal` });
    return { kind: 'literal', at, value: 0n };
  }
}
