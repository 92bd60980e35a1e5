/** Warnings about objects of built-in kinds. */

import type { AcceptedWrite } from '../apimachinery/accepted-write.ts';
import type { Fields } from '../apimachinery/object.ts';
import { builtinKinds } from './builtin-kinds.ts';

/** Characters of warnings, of each 256 at most, after which an answer shows no more of them. */
const [mostShown, mostOfEach] = [8192, 256];

/** Collects distinct warnings for as long as an answer shows them. */
function collected(warnings: Iterable<string>): readonly string[] {
  const all = new Set<string>();
  let shown = 0;
  for (const text of warnings) {
    if (all.has(text)) continue;
    all.add(text);
    shown += Math.min(text.length, mostOfEach);
    if (shown > mostShown) break;
  }
  return [...all];
}

/** Returns the server's warnings for an accepted object of a type. */
export const warningsOf = (type: string, object: Fields, { former, subresource }: AcceptedWrite): readonly string[] => {
  const { warn, warnOfStatus } = builtinKinds[type] ?? {};
  if (subresource === 'status') return collected(warnOfStatus?.(object, former) ?? []);
  return subresource === undefined ? collected(warn?.(object, former) ?? []) : [];
};
