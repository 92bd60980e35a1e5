/** What is wrong at a place of an expression, in characters from its start. */
export interface Fault {
  readonly at: number;
  readonly message: string;
}

/** Where a fault is that is the whole expression's. */
export const nowhere = -1;

/** How many faults are told; of others only how many there are. */
const mostTold = 100;

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

/** Faults as cel-go prints them: by place, each with its line of the source and a caret; of no source there is nothing to show. */
export function printedFaults(source: string, faults: readonly Fault[]): string {
  if (source === '') return faults.map(({ message }) => `ERROR: <input>:1:0: ${message}`).join('\n');
  const lines = source.split('\n').map((line) => [...line]);
  const told = faults.slice(0, mostTold).toSorted((a, b) => a.at - b.at);
  const more = faults.length > mostTold ? [`${faults.length - mostTold} more errors were truncated`] : [];
  return [...told.map((fault) => printedFault(fault, lines)), ...more].join('\n');
}
