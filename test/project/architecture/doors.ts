/** Checks package.json's `exports` against the files, and the files against it. */

import type { Violation } from './rules.ts';
import type { Scanned } from './source.ts';

/** Entry of package.json's `exports`. */
export type Door = string | { readonly types?: string; readonly source?: string; readonly default?: string };

/** Returns the entries whose files are missing or do not belong together. `exists` takes paths relative to the package. */
export const badDoors = (
  doors: Readonly<Record<string, Door>>,
  exists: (path: string) => boolean,
): readonly Violation[] =>
  Object.entries(doors).flatMap(([name, door]) => {
    if (typeof door === 'string') return exists(door) ? [] : [`${name}: ${door} does not exist`];
    if (Object.keys(door).join() !== 'types,source,default')
      return [`${name}: wants types, source, default, in this order`];
    const { types = '', source = '', default: built = '' } = door;
    const stem = source.replace(/^\.\//, '').replace(/\.ts$/, '');
    return [
      ...(exists(source) ? [] : [`${name}: ${source} does not exist`]),
      ...(types === `./dist/${stem}.d.ts` ? [] : [`${name}: types ${types} are not those of ${source}`]),
      ...(built === `./dist/${stem}.js` ? [] : [`${name}: ${built} is not built from ${source}`]),
    ];
  });

/** Returns the files in a published folder that the entries do not import, directly or not: they would be published for nothing. */
export function unreached(
  files: readonly Scanned[],
  entries: readonly string[],
  isPublished: (path: string) => boolean,
): readonly Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const toVisit = [...entries];
  for (let path = toVisit.pop(); path !== undefined; path = toVisit.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    toVisit.push(...(byPath.get(path)?.imports.map(({ target }) => target) ?? []));
  }
  return files
    .filter(({ path }) => isPublished(path) && !reached.has(path))
    .map(({ path }) => `${path}: no entry of the package imports it; its place is test/unit`);
}
