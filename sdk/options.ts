/** What is wrong with options that nobody reads, mostly a slip of the pen; undefined when all are known. `within` says where they stand, such as `breaker.` */
export function unknownIn(options: object, known: Iterable<string>, within = ''): string | undefined {
  const names = [...known];
  const unknown = Object.keys(options).find((option) => !names.includes(option));
  return unknown && `${within}${unknown} is no option; known are ${names.join(', ')}`;
}

/** Refuses options that nobody reads. @throws TypeError naming `where`, the first of them, and what is known */
export function refuseUnknown(where: string, options: object, known: Iterable<string>): void {
  const mistake = unknownIn(options, known);
  if (mistake !== undefined) throw new TypeError(`${where}: ${mistake}`);
}
