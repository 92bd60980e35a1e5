/** Parser of CEL expressions. */

import { withinDepth } from './depth.ts';
import type { Expression } from './expression.ts';
import { type Fault, nowhere } from './expression-errors.ts';
import { Parser } from './grammar.ts';
import { copiedParts } from './part-limit.ts';
import { TokenReader } from './token-reader.ts';

const maxLength = 100_000;

/** Parses an expression and expands its macros; returns the expression, or its syntax errors. */
export function parseExpression(
  source: string,
): { readonly expression: Expression } | { readonly faults: readonly Fault[] } {
  const size = [...source].length;
  if (size > maxLength) {
    return {
      faults: [{ at: nowhere, message: `expression code point size exceeds limit: size: ${size}, limit ${maxLength}` }],
    };
  }
  const reader = new TokenReader(source);
  copiedParts.start();
  return withinDepth(() => {
    const expression = new Parser(reader).whole();
    return reader.faults.length === 0 ? { expression } : { faults: reader.faults };
  });
}
