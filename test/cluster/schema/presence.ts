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
  return `[${withPresence(operand.slice(0, dot))}].exists(one__, has(one__${operand.slice(dot)}))`;
}

/** An expression whose `has(a[0].b)` the evaluator can read: it takes fields of names only, so that anything else gets a name first. */
export function withPresence(source: string): string {
  if (!source.includes('has')) return source;
  let result = '';
  for (let index = 0; index < source.length; ) {
    call.lastIndex = index;
    if (call.test(source)) {
      const end = closing(source, call.lastIndex);
      result += presence(source.slice(call.lastIndex, end));
      index = end + 1;
    } else {
      const end = next(source, index);
      result += source.slice(index, end);
      index = end;
    }
  }
  return result;
}
