import type { Violation } from './rules.ts';
import type { Source } from './source.ts';

/** Starts of top-level declarations; the formatter puts them, and nothing else, at the begin of a line. */
const declaration =
  /^(?<exported>export )?(?:abstract |async )?(?<keyword>interface|type|class|function\*?|const) (?<name>[\w$]+)/gm;

/** Keywords of types, which count whether they are exported or not. */
const ofTypes: ReadonlySet<string | undefined> = new Set(['interface', 'type', 'class']);

/** The text of a declaration: its line if it ends there, else all up to the line that closes it. */
function textOf(text: string, start: number): string {
  const rest = text.slice(start);
  const line = rest.split('\n', 1)[0]!;
  return line.endsWith(';') ? line : rest.slice(0, /^[\])}].*$/m.exec(rest)?.index ?? rest.length);
}

/**
 * Names with several meanings: exported from two files, or naming a type in one and something exported or a type in another. Declarations whose texts
 * are the same have one meaning, and so has whatever one file declares under one name. Re-exports declare nothing.
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
    .map(([name, places]) => `${name} has several meanings: ${[...places.keys()].join(', ')}`);
}
