/** Token stream of the CEL parser. */

import type { Fault } from './expression-errors.ts';
import { extraneousInput, mismatchedInput, missingToken, noViableAlternative } from './syntax-errors.ts';
import { endKind, type Token, type TokenKind, tokensOf } from './tokens.ts';

/** Tokens that may follow an operand, for recovery after an error. */
const following: ReadonlySet<TokenKind> = new Set(
  `|| && < <= >= > == != in + - * / % ? : ) ] } , ${endKind}`.split(' '),
);

/** Reads the tokens of an expression and collects syntax errors. */
export class TokenReader {
  readonly #faults: Fault[];
  readonly #tokens: readonly Token[];
  #next = 0;
  /** True from an error until a token fits again; further errors are suppressed. */
  #isLost = false;

  constructor(source: string) {
    const { tokens, faults } = tokensOf(source);
    this.#tokens = tokens;
    this.#faults = [...faults];
  }

  /** Errors so far. */
  get faults(): readonly Fault[] {
    return this.#faults;
  }

  /** Current token. */
  get token(): Token {
    return this.#tokens[this.#next]!;
  }

  /** Returns the kind of a later token; undefined beyond the end. */
  peek(distance = 1): TokenKind | undefined {
    return this.#tokens[this.#next + distance]?.kind;
  }

  /** Consumes the current token. */
  take(): Token {
    const { token } = this;
    this.#isLost = false;
    if (token.kind !== endKind) this.#next += 1;
    return token;
  }

  /** Consumes the current token if it is of a kind. */
  taken(kind: TokenKind): Token | undefined {
    return this.token.kind === kind ? this.take() : undefined;
  }

  /** Records an error that does not need recovery. */
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

  /** Reports an unexpected token and recovers at the end of the operand. */
  mismatch(kinds: readonly TokenKind[]): void {
    this.#report(mismatchedInput(this.token, kinds));
    this.#recover();
  }

  /** Skips a superfluous token. */
  skip(kinds: readonly TokenKind[]): void {
    this.#report(extraneousInput(this.token, kinds));
    if (this.token.kind !== endKind) this.#next += 1;
  }

  /** Reports that the tokens from `taken` on begin no alternative. */
  unviable(taken: readonly Token[]): void {
    this.#report(noViableAlternative([...taken, this.token]));
    this.#recover();
  }

  /** Consumes a required token, skipping one superfluous token or inserting it before one that can follow. Undefined when neither works. */
  expect(kind: TokenKind, after: readonly TokenKind[] = [], kinds: readonly TokenKind[] = [kind]): Token | undefined {
    if (this.token.kind === kind) return this.take();
    if (this.peek() === kind) {
      this.skip(kinds);
      return this.take();
    }
    if (after.includes(this.token.kind)) {
      this.#report(missingToken(this.token, kind));
      return this.token;
    }
    this.mismatch(kinds);
    return undefined;
  }
}
