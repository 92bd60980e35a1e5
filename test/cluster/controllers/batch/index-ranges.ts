/** Sets of completion indexes as ordered ranges: a status or a success policy may name billions of indexes in a few characters. */

type Range = readonly [first: number, last: number];

const sizeOf = ([first, last]: Range): number => last - first + 1;

/** Joins ordered ranges that overlap or touch. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const made: [number, number][] = [];
  for (const [first, last] of ranges) {
    const previous = made.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else made.push([first, last]);
  }
  return made;
}

const inOrder = (ranges: readonly Range[]): readonly Range[] => joined(ranges.toSorted(([a], [b]) => a - b));

const rangeText = ([first, last]: Range): string =>
  first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`;

/** Set of indexes. */
export class IndexRanges {
  readonly #ranges: readonly Range[];
  /** Number of indexes. */
  readonly size: number;

  constructor(ranges: readonly Range[] = []) {
    this.#ranges = ranges;
    this.size = ranges.reduce((sum, range) => sum + sizeOf(range), 0);
  }

  /** Parses the format of a Job's status: `0-2,5`. */
  static parse(text = ''): IndexRanges {
    const ranges = text
      .split(',')
      .filter(Boolean)
      .map((part): Range => {
        const [first = 0, last = first] = part.split('-').map(Number);
        return [first, last];
      });
    return new IndexRanges(inOrder(ranges.filter(([first, last]) => first <= last)));
  }

  /** Formats the indexes as a Job's status does. */
  toString(): string {
    return this.#ranges.map(rangeText).join(',');
  }

  /** Returns the last index of the range that contains an index; undefined when the set does not contain it. */
  endOfRange(index: number): number | undefined {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]![1] < index) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low];
    return range !== undefined && range[0] <= index ? range[1] : undefined;
  }

  has(index: number): boolean {
    return this.endOfRange(index) !== undefined;
  }

  /** Returns the set with more indexes. */
  with(indexes: Iterable<number>): IndexRanges {
    const more = [...indexes].map((index): Range => [index, index]);
    return more.length === 0 ? this : new IndexRanges(inOrder([...this.#ranges, ...more]));
  }

  /** Returns the indexes below a limit. */
  below(limit: number): IndexRanges {
    const kept = this.#ranges.filter(([first]) => first < limit);
    return new IndexRanges(kept.map(([first, last]) => [first, Math.min(last, limit - 1)]));
  }

  /** Returns the number of indexes that both sets contain. */
  countIn(other: IndexRanges): number {
    let count = 0;
    let [mine, theirs] = [0, 0];
    for (;;) {
      const [one, two] = [this.#ranges[mine], other.#ranges[theirs]];
      if (one === undefined || two === undefined) return count;
      count += Math.max(0, Math.min(one[1], two[1]) - Math.max(one[0], two[0]) + 1);
      if (one[1] < two[1]) mine += 1;
      else theirs += 1;
    }
  }
}
