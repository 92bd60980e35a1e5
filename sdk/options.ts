/** Rejects unknown members of options. */

import { suggestName } from './suggest.ts';

/** Describes the first unknown option, with the known names and a suggestion for a typo; undefined when all are known. `within` is the prefix of nested options, such as `breaker.` */
export function unknownIn(options: object, known: Iterable<string>, within = ''): string | undefined {
  const names = [...known];
  const unknown = Object.keys(options).find((option) => !names.includes(option));
  if (unknown === undefined) return undefined;
  const suggestion = suggestName(unknown, names);
  const advice = suggestion === undefined ? '' : `; did you mean ${within}${suggestion}?`;
  return `${within}${unknown} is not an option; known are ${names.join(', ')}${advice}`;
}

/** Describes the first unknown member that looks like a misspelt known one which is absent; other unknown members may be there. */
export function misspeltIn(value: object, known: readonly string[]): string | undefined {
  for (const member of Object.keys(value)) {
    const meant = known.includes(member) ? undefined : suggestName(member, known);
    if (meant !== undefined && !(meant in value)) return `${member} is not a member; did you mean ${meant}?`;
  }
  return undefined;
}

/** Describes a value that was passed instead of options; a string is not shown, since it may be a secret. */
function foundInstead(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'function' ? 'a function' : String(value);
}

/**
 * Rejects unknown options and values that are not objects. @throws TypeError naming `where`, the first unknown option, the known ones, and the one that
 * was probably meant
 */
export function refuseUnknown(where: string, options: object, known: Iterable<string>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(
      `${where}: must be given an object { ${[...known].join(', ')} }; found ${foundInstead(options)}`,
    );
  const mistake = unknownIn(options, known);
  if (mistake !== undefined) throw new TypeError(`${where}: ${mistake}`);
}
