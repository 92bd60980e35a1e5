/** Suggestion of the nearest known name for a misspelt one. */

/** Maximum length of a compared word in characters, which bounds the cost of names from tenants. */
const maxWordLength = 64;

/** Levenshtein distance of two words. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const next = [row + 1];
    for (const [column, other] of [...b].entries())
      next.push(Math.min(next[column]! + 1, previous[column + 1]! + 1, previous[column]! + (letter === other ? 0 : 1)));
    previous = next;
  }
  return previous[b.length]!;
}

/** Returns the name closest to a word, if one is near. */
export const suggestName = (word: string, names: readonly string[]): string | undefined =>
  word.length > maxWordLength
    ? undefined
    : names
        .filter((name) => name.length <= maxWordLength)
        .map((name) => ({ name, far: name.startsWith(word) ? 1 : distance(word.toLowerCase(), name.toLowerCase()) }))
        .filter(({ far }) => far <= 2)
        .sort((a, b) => a.far - b.far)[0]?.name;
