/** Breaks a text before column 120 after separators; the lines after the first are indented. */
export function wrapped(text: string, separator: RegExp, indent = '  '): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(separator)) {
    if (line.trim() === '' || line.length + word.trimEnd().length <= 120) line += word;
    else {
      lines.push(line.trimEnd());
      line = `${indent}${word}`;
    }
  }
  return [...lines, line].join('\n');
}
