/** What the generator of client-node writes in the place of characters that would end a comment or a text. */
const escapes: readonly (readonly [RegExp, string])[] = [
  [/&#39;/g, "'"],
  [/&quot;/g, '"'],
  [/&#x60;/g, '`'],
  [/&#x3D;/g, '='],
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&amp;/g, '&'],
];

/** A comment of the generator as it was before. */
function unescaped(comment: string): string {
  const read = comment.includes('\\') ? comment.replace(/\\(['"\\&])/g, '$1') : comment;
  const plain = read.includes('&') ? escapes.reduce((made, [pattern, by]) => made.replace(pattern, by), read) : read;
  return plain.includes('_') ? plain.replaceAll('*_/', '*/').replaceAll('/_*', '/*') : plain;
}

/** Two spaces before what may begin a paragraph. */
const gap = /(?<=[^\s']) {2}(?=[^\sa-z])/g;
/** A line that goes on further to the right. */
const indentation = /(?<=[^\s`|]) {3}(?=\S)/g;
/** The next point of a list with such a line. */
const point = /(\n {2}[^\n]*?\.) - /g;

/**
 * The text of a comment of client-node's models and operations. The generator has put spaces in the place of line breaks: two are an empty
 * line, unless `isWide` says that they stood there from the beginning; single breaks are lost.
 */
export function textOfComment(comment: string, isWide = false): string {
  const text = unescaped(comment);
  if (isWide || !text.includes('  ')) return text;
  return text.replace(gap, '\n\n').replace(indentation, '\n  ').replace(point, '$1\n- ');
}
