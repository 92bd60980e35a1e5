/** Formats the errors of expressions. */

/** Error at a position of an expression, in characters. */
export interface Fault {
  readonly at: number;
  readonly message: string;
}

/** Position of errors of the whole expression. */
export const nowhere = -1;

/** Number of errors that are shown; further ones are counted. */
const maxTold = 100;

const isWide = (character: string): boolean => character.codePointAt(0)! > 0x7f;

function printedFault({ at, message }: Fault, lines: readonly (readonly string[])[]): string {
  if (at === nowhere) return `ERROR: <input>:-1:0: ${message}`;
  let [line, column] = [0, at];
  while (line < lines.length - 1 && column > lines[line]!.length) {
    column -= lines[line]!.length + 1;
    line += 1;
  }
  const text = lines[line]!;
  const dots = text
    .slice(0, column)
    .map((one) => (isWide(one) ? '\uff0e' : '.'))
    .join('');
  const mark = column < text.length && isWide(text[column]!) ? '\uff3e' : '^';
  const shown = text.join('').replaceAll('\t', ' ');
  return `ERROR: <input>:${line + 1}:${column + 1}: ${message}\n | ${shown}\n | ${dots}${mark}`;
}

/** Formats errors as cel-go does: by position, with the source line and a caret, or without them for an empty source. */
export function formatErrors(source: string, faults: readonly Fault[]): string {
  if (source === '') return faults.map(({ message }) => `ERROR: <input>:1:0: ${message}`).join('\n');
  const lines = source.split('\n').map((line) => [...line]);
  const printed = faults.slice(0, maxTold).toSorted((a, b) => a.at - b.at);
  const more = faults.length > maxTold ? [`${faults.length - maxTold} more errors were truncated`] : [];
  return [...printed.map((fault) => printedFault(fault, lines)), ...more].join('\n');
}
