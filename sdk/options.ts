/** Rejects unknown members of options. */

/** Describes the first unknown option, mostly a typo; undefined when all are known. `within` is the prefix of nested options, such as `breaker.` */
export function unknownIn(options: object, known: Iterable<string>, within = ''): string | undefined {
  const names = [...known];
  const unknown = Object.keys(options).find((option) => !names.includes(option));
  return unknown && `${within}${unknown} is no option; known are ${names.join(', ')}`;
}

/** Rejects unknown options. @throws TypeError naming `where`, the first unknown option and the known ones */
export function refuseUnknown(where: string, options: object, known: Iterable<string>): void {
  const mistake = unknownIn(options, known);
  if (mistake !== undefined) throw new TypeError(`${where}: ${mistake}`);
}
