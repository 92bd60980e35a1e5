/** Suggestion of the nearest known name for a misspelt one. */

/** Maximum length of a compared word in characters, which bounds the cost of names from tenants. */
const maxWordLength = 64;

/** Maximum edit distance of a suggestion. */
const maxEdits = 2;

/** Levenshtein distance of two words. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const next = [row + 1];
    for (const [column, other] of [...b].entries())
      next.push(Math.min(next[column]! + 1, previous[column + 1]! + 1, previous[column]! + (letter === other ? 0 : 1)));
    previous = next;
  }
  return previous[b.length]!;
}

/** Returns the name closest to a word, within two edits or as its prefix; undefined without one. */
export const suggestName = (word: string, names: readonly string[]): string | undefined =>
  word.length > maxWordLength
    ? undefined
    : names
        .filter((name) => name.length <= maxWordLength)
        .map((name) => ({
          name,
          edits: name.startsWith(word) ? 1 : editDistance(word.toLowerCase(), name.toLowerCase()),
        }))
        .filter(({ edits }) => edits <= maxEdits)
        .sort((a, b) => a.edits - b.edits)[0]?.name;
