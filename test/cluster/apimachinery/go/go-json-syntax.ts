/** Reports JSON syntax errors in Go's words. */

import { escapes } from '../field-error.ts';
import { maxLevels } from './go-json.ts';

/** First syntax error that Go's JSON scanner finds in a text. */
class Fault extends Error {
  override readonly name = 'Fault';
}

const space = /[ \t\r\n]/;
const digit = /[0-9]/;
const hexDigit = /[0-9a-fA-F]/;
const end = 'unexpected end of JSON input';

/** Go's escapes of non-printable bytes. */
const shownAs: Readonly<Record<string, string>> = { ...escapes, '\\': '\\\\', "'": "\\'" };

/** Quotes the first byte of a character as Go does. */
function quoted(char: string): string {
  const byte = Buffer.from(char)[0]!;
  const shown = String.fromCharCode(byte);
  const code = byte.toString(16).padStart(2, '0');
  if (byte < 0x20 || byte === 0x7f) return `'${shownAs[shown] ?? `\\x${code}`}'`;
  return byte > 0x7f && byte < 0xa1 ? `'\\u00${code}'` : `'${shownAs[shown] ?? shown}'`;
}

/** Scans a JSON text byte by byte as Go does, up to the first error. */
class Scanner {
  readonly #text: string;
  #index = 0;
  #level = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    if (this.#next() !== undefined) this.#refuse('after top-level value');
  }

  /** Throws the fault at the current position; `atEnd` is the message at the end of the text. */
  #refuse(where: string, atEnd = end): never {
    const char = this.#text[this.#index];
    throw new Fault(char === undefined ? atEnd : `invalid character ${quoted(char)} ${where}`);
  }

  #next(): string | undefined {
    while (space.test(this.#text[this.#index] ?? '')) this.#index += 1;
    return this.#text[this.#index];
  }

  #value(): void {
    const char = this.#next();
    const literal = { t: 'true', f: 'false', n: 'null' }[char ?? ''];
    if (char === '{') this.#within('}', 'after object key:value pair', () => this.#member());
    else if (char === '[') this.#within(']', 'after array element', () => this.#value());
    else if (char === '"') this.#string();
    else if (literal !== undefined) this.#literal(literal);
    else if (char === '-' || digit.test(char ?? '')) this.#number();
    else this.#refuse('looking for beginning of value');
  }

  /** Scans an array or object: `each` of its items, separated by commas. */
  #within(close: '}' | ']', after: string, each: () => void): void {
    this.#level += 1;
    if (this.#level > maxLevels) throw new Fault('exceeded max depth');
    this.#index += 1;
    if (this.#next() !== close) {
      for (each(); this.#next() === ','; each()) this.#index += 1;
      if (this.#next() !== close) this.#refuse(after);
    }
    this.#index += 1;
    this.#level -= 1;
  }

  #member(): void {
    if (this.#next() !== '"') this.#refuse('looking for beginning of object key string');
    this.#string();
    if (this.#next() !== ':') this.#refuse('after object key');
    this.#index += 1;
    this.#value();
  }

  #string(): void {
    for (this.#index += 1; this.#text[this.#index] !== '"'; this.#index += 1) {
      const char = this.#text[this.#index];
      if (char === undefined || char < ' ') this.#refuse('in string literal');
      if (char === '\\') this.#escape();
    }
    this.#index += 1;
  }

  #escape(): void {
    this.#index += 1;
    const char = this.#text[this.#index] ?? '';
    if (!/["\\/bfnrtu]/.test(char))
      this.#refuse('in string escape code', `invalid character ' ' in string escape code`);
    if (char !== 'u') return;
    const where = 'in \\u hexadecimal character escape';
    for (let count = 0; count < 4; count += 1) {
      this.#index += 1;
      if (!hexDigit.test(this.#text[this.#index] ?? '')) this.#refuse(where, `invalid character ' ' ${where}`);
    }
  }

  #literal(word: string): void {
    for (const expected of word) {
      const where = `in literal ${word} (expecting '${expected}')`;
      if (this.#text[this.#index] !== expected) this.#refuse(where, `invalid character ' ' ${where}`);
      this.#index += 1;
    }
  }

  #digits(where: string): void {
    if (!digit.test(this.#text[this.#index] ?? '')) this.#refuse(where, `invalid character ' ' ${where}`);
    while (digit.test(this.#text[this.#index] ?? '')) this.#index += 1;
  }

  #number(): void {
    if (this.#text[this.#index] === '-') this.#index += 1;
    if (this.#text[this.#index] === '0') this.#index += 1;
    else this.#digits('in numeric literal');
    if (this.#text[this.#index] === '.') {
      this.#index += 1;
      this.#digits('after decimal point in numeric literal');
    }
    if (!/[eE]/.test(this.#text[this.#index] ?? '')) return;
    this.#index += 1;
    if (/[+-]/.test(this.#text[this.#index] ?? '')) this.#index += 1;
    this.#digits('in exponent of numeric literal');
  }
}

/** Reports whether a JSON text is nested too deeply. Fast, as it runs on every larger body. */
export function isTooDeep(text: string, most = maxLevels): boolean {
  if (text.length <= most) return false;
  let level = 0;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === 0x22) index = endOfString(text, index);
    else if (char === 0x7b || char === 0x5b) level += 1;
    else if (char === 0x7d || char === 0x5d) level -= 1;
    if (level > most) return true;
  }
  return false;
}

/** Returns the end of the string that starts at an index. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}

/** Returns the error of Go's JSON decoder for a text that is invalid or too deep; undefined for a valid one. */
export function syntaxFaultOf(text: string): string | undefined {
  try {
    new Scanner(text).document();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}
