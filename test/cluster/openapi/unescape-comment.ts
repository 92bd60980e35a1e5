/** Escapes that client-node's generator uses in comments and texts. */
const escapes: readonly (readonly [RegExp, string])[] = [
  [/&#39;/g, "'"],
  [/&quot;/g, '"'],
  [/&#x60;/g, '`'],
  [/&#x3D;/g, '='],
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&amp;/g, '&'],
];

/** Removes the generator's escapes from a comment. */
function unescapeComment(comment: string): string {
  const read = comment.includes('\\') ? comment.replace(/\\(['"\\&])/g, '$1') : comment;
  const plain = read.includes('&') ? escapes.reduce((made, [pattern, by]) => made.replace(pattern, by), read) : read;
  return plain.includes('_') ? plain.replaceAll('*_/', '*/').replaceAll('/_*', '/*') : plain;
}

/** Two spaces before the possible start of a paragraph. */
const gap = /(?<=[^\s']) {2}(?=[^\sa-z])/g;
/** Three spaces before an indented continuation line. */
const indentation = /(?<=[^\s`|]) {3}(?=\S)/g;
/** Next list item after an indented line. */
const point = /(\n {2}[^\n]*?\.) - /g;

/**
 * Returns the original text of a comment in client-node's models and operations. The generator replaced line breaks
 * by spaces: two spaces are an empty line, unless `isWide` says that they are original; single breaks are lost.
 */
export function textOfComment(comment: string, isWide = false): string {
  const text = unescapeComment(comment);
  if (isWide || !text.includes('  ')) return text;
  return text.replace(gap, '\n\n').replace(indentation, '\n  ').replace(point, '$1\n- ');
}
