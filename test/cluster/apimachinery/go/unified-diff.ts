/** Common run of lines: its start in each list and its length. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Range of lines in both lists: equal or changed. */
interface Step {
  readonly isSame: boolean;
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

/** Both lists, and the positions of each line of the second that is not too frequent. */
interface Lines {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** Number of comparisons that are left. */
  budget: number;
}

type Span = readonly [aFrom: number, aTo: number, bFrom: number, bTo: number];

const context = 3;
const frequentFrom = 200;

/** Limit of comparisons of lines. Upstream has none: its time is quadratic in the number of changes. Lines beyond the limit count as changed. */
const maxComparisons = 8_000_000;

function linesOf(a: readonly string[], b: readonly string[]): Lines {
  const positions = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const known = positions.get(line);
    if (known === undefined) positions.set(line, [index]);
    else known.push(index);
  }
  const most = Math.trunc(b.length / 100) + 1;
  if (b.length >= frequentFrom) for (const [line, at] of positions) if (at.length > most) positions.delete(line);
  return { a, b, positions, budget: maxComparisons };
}

/** Extends a run of common lines by the equal lines around it. */
function extendMatch({ a, b }: Lines, [aFrom, aTo, bFrom, bTo]: Span, match: Match): Match {
  let { a: i, b: j, size } = match;
  while (i > aFrom && j > bFrom && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size += 1;
  return { a: i, b: j, size };
}

/** Finds the longest common run of lines, extended by equal frequent lines; the first of several. */
function longestMatch(lines: Lines, span: Span): Match {
  const { a, positions } = lines;
  const [aFrom, aTo, bFrom, bTo] = span;
  let best: Match = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo && lines.budget > 0; i += 1) {
    const next = new Map<number, number>();
    const found = positions.get(a[i]!) ?? [];
    lines.budget -= 1 + found.length;
    for (const j of found) {
      if (j < bFrom || j >= bTo) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return extendMatch(lines, span, best);
}

/** Returns the common runs in order: the longest of all, then those before and after it, and so on. */
function matchesOf(lines: Lines): readonly Match[] {
  const matches: Match[] = [];
  const spans: Span[] = [[0, lines.a.length, 0, lines.b.length]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [aFrom, aTo, bFrom, bTo] = span;
    const { a, b, size } = longestMatch(lines, span);
    if (size === 0) continue;
    matches.push({ a, b, size });
    spans.push([a + size, aTo, b + size, bTo], [aFrom, a, bFrom, b]);
  }
  return matches.sort((one, other) => one.a - other.a);
}

function* stepsOf(lines: Lines): Generator<Step> {
  const [aEnd, bEnd] = [lines.a.length, lines.b.length];
  let [i, j] = [0, 0];
  for (const { a, b, size } of [...matchesOf(lines), { a: aEnd, b: bEnd, size: 0 }]) {
    if (i < a || j < b) yield { isSame: false, a: [i, a], b: [j, b] };
    if (size > 0) yield { isSame: true, a: [a, a + size], b: [b, b + size] };
    [i, j] = [a + size, b + size];
  }
}

const firstOf = ({ a, b }: Step): Step => ({
  isSame: true,
  a: [a[0], Math.min(a[1], a[0] + context)],
  b: [b[0], Math.min(b[1], b[0] + context)],
});

const lastOf = ({ a, b }: Step): Step => ({
  isSame: true,
  a: [Math.max(a[0], a[1] - context), a[1]],
  b: [Math.max(b[0], b[1] - context), b[1]],
});

/** Groups changes with their context; changes close to each other share a group. */
function groupsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = [[]];
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const isFar = step.a[1] - step.a[0] > 2 * context;
    if (!step.isSame) groups.at(-1)!.push(step);
    else if (index === 0) groups.at(-1)!.push(lastOf(step));
    else if (isLast) groups.at(-1)!.push(firstOf(step));
    else if (isFar) {
      groups.at(-1)!.push(firstOf(step));
      groups.push([lastOf(step)]);
    } else groups.at(-1)!.push(step);
  }
  return groups.filter((group) => group.some(({ isSame }) => !isSame));
}

const rangeText = (from: number, to: number): string => {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
};

const marked = (mark: string, lines: readonly string[]): string => lines.map((line) => `${mark}${line}\n`).join('');

/** Returns the unified diff of two texts with three lines of context and without a header; empty when they are equal. */
export function unifiedDiff(before: string, after: string): string {
  const lines = linesOf(before.split('\n'), after.split('\n'));
  const groups = groupsOf([...stepsOf(lines)]).map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const head = `@@ -${rangeText(first.a[0], last.a[1])} +${rangeText(first.b[0], last.b[1])} @@\n`;
    const body = group.map(({ isSame, a, b }) => {
      const [removed, added] = [lines.a.slice(...a), lines.b.slice(...b)];
      return isSame ? marked(' ', removed) : marked('-', removed) + marked('+', added);
    });
    return head + body.join('');
  });
  return groups.join('');
}
