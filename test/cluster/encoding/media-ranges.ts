/** Parses Accept headers. */

/** Media range of an Accept header. */
export interface MediaRange {
  /** `application/json` or `application/*`. */
  readonly type: string;
  readonly weight: number;
  readonly parameters: Readonly<Record<string, string>>;
}

function rangeOf(part: string): MediaRange | undefined {
  const [first = '', ...rest] = part.split(';');
  const [main = '', sub, ...more] = first.split('/').map((piece) => piece.trim());
  if (more.length > 0 || (!sub && main !== '*')) return undefined;
  const pairs = rest.map((piece) => piece.split('=')).filter(({ length, 1: value }) => length === 2 && value !== '');
  const { q, ...parameters } = Object.fromEntries(pairs.map(([name = '', value = '']) => [name.trim(), value.trim()]));
  const weight = q === undefined ? 1 : Number.parseFloat(q) || 0;
  return { type: `${main}/${sub || '*'}`, weight, parameters };
}

/** Orders ranges as upstream does, which is not a total order: by weight, then by specificity. */
function isBefore(a: MediaRange, b: MediaRange): boolean {
  if (a.weight > b.weight) return true;
  if (!a.type.startsWith('*/') && b.type.startsWith('*/')) return true;
  return !a.type.endsWith('/*') && b.type.endsWith('/*');
}

/** Returns the media ranges of an Accept header by preference. */
export function mediaRangesOf(accept: string): readonly MediaRange[] {
  const ranges = accept
    .split(',')
    .map(rangeOf)
    .filter((range) => range !== undefined);
  for (let index = 1; index < ranges.length; index += 1) {
    for (let at = index; at > 0 && isBefore(ranges[at]!, ranges[at - 1]!); at -= 1) {
      [ranges[at - 1], ranges[at]] = [ranges[at]!, ranges[at - 1]!];
    }
  }
  return ranges;
}
