import type { Violation } from './rules.ts';
import type { Source } from './source.ts';

/** Matches the starts of top-level declarations; the formatter leaves only them at the beginning of a line. */
const declaration =
  /^(?<exported>export )?(?:abstract |async )?(?<keyword>interface|type|class|function\*?|const) (?<name>[\w$]+)/gm;

/** Keywords of type declarations, which are compared even if they are not exported. */
const ofTypes: ReadonlySet<string | undefined> = new Set(['interface', 'type', 'class']);

/** Returns the text of a declaration: its line if it ends there, else all lines up to the one that closes it. */
function textOf(text: string, start: number): string {
  const rest = text.slice(start);
  const line = rest.split('\n', 1)[0]!;
  return line.endsWith(';') ? line : rest.slice(0, /^[\])}].*$/m.exec(rest)?.index ?? rest.length);
}

/**
 * Returns the names with several meanings: exported from two files, or a type in one file and an export or a type in another. Declarations with
 * equal
 * texts have one meaning, as have all declarations of one name in one file. Re-exports declare nothing.
 */
export function ambiguousNames(files: readonly Source[]): readonly Violation[] {
  const meanings = new Map<string, Map<string, string>>();
  for (const { path, text } of files)
    for (const match of text.matchAll(declaration)) {
      const { exported, keyword, name = '' } = match.groups ?? {};
      if (exported === undefined && !ofTypes.has(keyword)) continue;
      const places = meanings.get(name) ?? new Map<string, string>();
      meanings.set(name, places);
      const own = textOf(text, match.index).replace(/^export /, '');
      places.set(path, `${places.get(path) ?? ''}${own}`);
    }
  return [...meanings]
    .filter(([, places]) => new Set(places.values()).size > 1)
    .map(
      ([name, places]) => `${name} has several meanings: ${[...places.keys()].join(', ')}; rename one by what it is of`,
    );
}
