import type { Fault } from './faults.ts';
import { extraneous, mismatched, missing, notViable } from './grammar-faults.ts';
import { endKind, type Token, type TokenKind, tokensOf } from './tokens.ts';

/** What may follow an operand, so that reading can go on there after a fault. */
const following: ReadonlySet<TokenKind> = new Set(
  `|| && < <= >= > == != in + - * / % ? : ) ] } , ${endKind}`.split(' '),
);

/** Reads the words of an expression one after the other, and gathers what is wrong with them. */
export class TokenReader {
  readonly #faults: Fault[];
  readonly #tokens: readonly Token[];
  #next = 0;
  /** From a fault on until a word fits again, nothing more is said. */
  #isLost = false;

  constructor(source: string) {
    const { tokens, faults } = tokensOf(source);
    this.#tokens = tokens;
    this.#faults = [...faults];
  }

  /** What was wrong so far. */
  get faults(): readonly Fault[] {
    return this.#faults;
  }

  /** The word that comes now. */
  get token(): Token {
    return this.#tokens[this.#next]!;
  }

  /** The kind of a word further on; undefined beyond the end. */
  peek(distance = 1): TokenKind | undefined {
    return this.#tokens[this.#next + distance]?.kind;
  }

  /** Takes a word that fits. */
  take(): Token {
    const { token } = this;
    this.#isLost = false;
    if (token.kind !== endKind) this.#next += 1;
    return token;
  }

  /** Takes a word if it is of a kind. */
  taken(kind: TokenKind): Token | undefined {
    return this.token.kind === kind ? this.take() : undefined;
  }

  /** Notes something that is wrong but does not keep one from reading on. */
  note(fault: Fault): void {
    this.#faults.push(fault);
  }

  #report(fault: Fault): void {
    if (!this.#isLost) this.#faults.push(fault);
    this.#isLost = true;
  }

  #recover(): void {
    while (!following.has(this.token.kind)) this.#next += 1;
  }

  /** Reports a word that is none of the kinds asked for, and goes on after it where an operand may end. */
  mismatch(kinds: readonly TokenKind[]): void {
    this.#report(mismatched(this.token, kinds));
    this.#recover();
  }

  /** Passes over a word that is too much. */
  skip(kinds: readonly TokenKind[]): void {
    this.#report(extraneous(this.token, kinds));
    if (this.token.kind !== endKind) this.#next += 1;
  }

  /** Reports that from a word already taken on nothing begins that could be read. */
  unviable(taken: readonly Token[]): void {
    this.#report(notViable([...taken, this.token]));
    this.#recover();
  }

  /** Takes a word that has to be there: one before it may be too much, and it may be missing before what can follow it. Undefined when it is neither. */
  expect(kind: TokenKind, after: readonly TokenKind[] = [], kinds: readonly TokenKind[] = [kind]): Token | undefined {
    if (this.token.kind === kind) return this.take();
    if (this.peek() === kind) {
      this.skip(kinds);
      return this.take();
    }
    if (after.includes(this.token.kind)) {
      this.#report(missing(this.token, kind));
      return this.token;
    }
    this.mismatch(kinds);
    return undefined;
  }
}
