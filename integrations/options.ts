/** Refuses options that nobody reads: mostly a slip of the pen. @throws TypeError naming the first of them and what is known */
export function refuseUnknown(where: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown !== undefined) throw new TypeError(`${where}: ${unknown} is no option; known are ${known.join(', ')}`);
}
