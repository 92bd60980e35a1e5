const text = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/y;
const call = /\bhas\s*\(/y;

/** Where the text or the single character at `index` ends. */
function next(source: string, index: number): number {
  text.lastIndex = index;
  return text.test(source) ? text.lastIndex : index + 1;
}

/** The index of the parenthesis that closes what was opened before `start`; the end when none does. */
function closing(source: string, start: number): number {
  let depth = 1;
  for (let index = start; index < source.length; index = next(source, index)) {
    if ('([{'.includes(source[index]!)) depth += 1;
    if (')]}'.includes(source[index]!)) depth -= 1;
    if (depth === 0) return index;
  }
  return source.length;
}

/** The index of the last dot that is in no bracket and no text; -1 when there is none. */
function lastDot(source: string): number {
  let found = -1;
  for (let index = 0; index < source.length; ) {
    if (source[index] === '.') found = index;
    const isOpening = '([{'.includes(source[index]!);
    index = isOpening ? closing(source, index + 1) + 1 : next(source, index);
  }
  return found;
}

function presence(operand: string): string {
  const dot = lastDot(operand);
  if (dot === -1 || !/[[(]/.test(operand.slice(0, dot))) return `has(${operand})`;
  return `[${inDialect(operand.slice(0, dot))}].exists(one__, has(one__${operand.slice(dot)}))`;
}

/** What the source is to say instead from `start` to `end`; undefined where it may stay. */
function replaced(source: string, start: number): { readonly by: string; readonly end: number } | undefined {
  if (source.startsWith('.matches(', start)) return { by: '.matchesGo(', end: start + '.matches('.length };
  call.lastIndex = start;
  if (!call.test(source)) return undefined;
  const end = closing(source, call.lastIndex);
  return { by: presence(source.slice(call.lastIndex, end)), end: end + 1 };
}

/**
 * An expression as the evaluator can read it. It takes `has()` of fields of names only, so that in `has(a[0].b)` what comes before the dot
 * gets a name first; and regular expressions are Go's, not its own.
 */
export function inDialect(source: string): string {
  let result = '';
  for (let index = 0; index < source.length; ) {
    const { by, end } = replaced(source, index) ?? {
      by: source.slice(index, next(source, index)),
      end: next(source, index),
    };
    result += by;
    index = end;
  }
  return result;
}
