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
  readonly places: ReadonlyMap<string, readonly number[]>;
}

type Span = readonly [aFrom: number, aTo: number, bFrom: number, bTo: number];

const context = 3;
const frequentFrom = 200;

function linesOf(a: readonly string[], b: readonly string[]): Lines {
  const places = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  const most = Math.trunc(b.length / 100) + 1;
  if (b.length >= frequentFrom) for (const [line, at] of places) if (at.length > most) places.delete(line);
  return { a, b, places };
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
  const { a, places } = lines;
  const [aFrom, aTo, bFrom, bTo] = span;
  let best: Match = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i += 1) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bFrom || j >= bTo) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return extendMatch(lines, span, best);
}

function* matchesIn(lines: Lines, span: Span): Generator<Match> {
  const [aFrom, aTo, bFrom, bTo] = span;
  const found = longestMatch(lines, span);
  if (found.size === 0) return;
  yield* matchesIn(lines, [aFrom, found.a, bFrom, found.b]);
  yield found;
  yield* matchesIn(lines, [found.a + found.size, aTo, found.b + found.size, bTo]);
}

function* stepsOf(lines: Lines): Generator<Step> {
  const [aEnd, bEnd] = [lines.a.length, lines.b.length];
  let [i, j] = [0, 0];
  for (const { a, b, size } of [...matchesIn(lines, [0, aEnd, 0, bEnd]), { a: aEnd, b: bEnd, size: 0 }]) {
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
      const [gone, come] = [lines.a.slice(...a), lines.b.slice(...b)];
      return isSame ? marked(' ', gone) : marked('-', gone) + marked('+', come);
    });
    return head + body.join('');
  });
  return groups.join('');
}
