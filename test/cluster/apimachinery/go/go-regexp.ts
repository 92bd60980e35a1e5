/** Regular expressions in Go's syntax. */

import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Compiled regular expression in Go's syntax (RE2). Matching takes time linear in the text. */
export interface GoRegExp {
  test(text: string): boolean;
  /** Returns up to `most` non-overlapping matches, as Go's FindAllString. */
  findAll(text: string, most: number): readonly string[];
}

/** Compiled expression or Go's error, and its approximate size in instructions. */
type Compiled = { readonly size: number } & ({ readonly expression: GoRegExp } | { readonly fault: string });

/** Loads the package with the first expression; clusters without any do not load it. */
const re2 = () => createRequire(import.meta.url)('re2js') as typeof import('re2js');

/** Finds matches; as in Go, an empty match directly after another is left out. */
function findAll(expression: RE2JS, text: string, most: number): readonly string[] {
  const found: string[] = [];
  const matcher = expression.matcher(text);
  let end = -1;
  while (found.length < most && matcher.find()) {
    if (matcher.end() === matcher.start() && matcher.start() === end) continue;
    end = matcher.end();
    found.push(text.slice(matcher.start(), end));
  }
  return found;
}

/** Completes RE2JS's message as Go does: it ends with the pattern. */
function faultOf(message: string, pattern: string): string {
  if (message.endsWith('`')) return message;
  return `${message}: \`${message.endsWith('trailing backslash at end of expression') ? '' : pattern}\``;
}

function compile(pattern: string): Compiled {
  const { RE2JS, RE2JSException } = re2();
  try {
    const made = RE2JS.compile(pattern);
    const expression: GoRegExp = {
      test: (text) => made.test(text),
      findAll: (text, most) => findAll(made, text, most),
    };
    return { size: pattern.length + made.programSize(), expression };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { size: pattern.length, fault: faultOf(error.message, pattern) };
  }
}

/** Limits of the cache: number of expressions, each with its own cache of up to 8 MB, and their total size. */
const maxCached = 256;
const maxSize = 2 ** 20;

/** Wraps a function with a cache of recent results. */
function cached(make: (pattern: string) => Compiled): (pattern: string) => Compiled {
  const kept = new Map<string, Compiled>();
  let keptSize = 0;
  return (pattern) => {
    const known = kept.get(pattern);
    const result = known ?? make(pattern);
    if (known === undefined) keptSize += result.size;
    else kept.delete(pattern);
    kept.set(pattern, result);
    for (const [oldest, { size }] of kept) {
      if (kept.size === 1 || (kept.size <= maxCached && keptSize <= maxSize)) break;
      kept.delete(oldest);
      keptSize -= size;
    }
    return result;
  };
}

const compiled = cached(compile);

/** Compiles a regular expression in Go's syntax; undefined when it is invalid. */
export function goRegExp(pattern: string): GoRegExp | undefined {
  const result = compiled(pattern);
  return 'expression' in result ? result.expression : undefined;
}

/** Returns Go's error for a regular expression; undefined for a valid one. */
export function regExpFault(pattern: string): string | undefined {
  const result = compiled(pattern);
  return 'fault' in result ? result.fault : undefined;
}
