import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** A compiled regular expression in Go's syntax (RE2). The time of a match grows with the length of the text alone, whatever the expression. */
export interface GoRegExp {
  test(text: string): boolean;
  /** The first matches that do not overlap, at most so many, as Go's FindAllString has them. */
  findAll(text: string, most: number): readonly string[];
}

/** An expression, or what Go says against it; and about how much memory it takes, in units of an instruction. */
type Compiled = { readonly size: number } & ({ readonly expression: GoRegExp } | { readonly fault: string });

/** The package is loaded with the first expression: a cluster without any does not pay for it. */
const re2 = () => createRequire(import.meta.url)('re2js') as typeof import('re2js');

/** Go leaves out an empty match that follows another match directly. */
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

/** Go ends each message with what it is about, also where RE2JS leaves that out. */
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

/** How many compiled expressions are kept, each with a cache of its own of up to 8 MB, and their size altogether. */
const mostKept = 256;
const mostSize = 2 ** 20;

/** The same function, which keeps what it answered last. */
function keeping(make: (pattern: string) => Compiled): (pattern: string) => Compiled {
  const kept = new Map<string, Compiled>();
  let keptSize = 0;
  return (pattern) => {
    const known = kept.get(pattern);
    const result = known ?? make(pattern);
    if (known === undefined) keptSize += result.size;
    else kept.delete(pattern);
    kept.set(pattern, result);
    for (const [oldest, { size }] of kept) {
      if (kept.size === 1 || (kept.size <= mostKept && keptSize <= mostSize)) break;
      kept.delete(oldest);
      keptSize -= size;
    }
    return result;
  };
}

const compiled = keeping(compile);

/** A regular expression in Go's syntax; undefined when it is none. */
export function goRegExp(pattern: string): GoRegExp | undefined {
  const result = compiled(pattern);
  return 'expression' in result ? result.expression : undefined;
}

/** What Go says of a regular expression that is none; undefined when it is one. */
export function regExpFault(pattern: string): string | undefined {
  const result = compiled(pattern);
  return 'fault' in result ? result.fault : undefined;
}
