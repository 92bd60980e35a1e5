/** Visible range of a long list of rows of equal height. */

/** Part of a long list that is in sight. */
export interface VisibleRange {
  readonly first: number;
  /** Index after the last one. */
  readonly end: number;
}

/** Position of a list of rows of equal height; in pixels. */
export interface ScrollPosition {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** Number of extra rows drawn beyond each edge, so that scrolling shows no gaps. */
const margin = 12;

/** Returns the rows that are in sight, and some around them. */
export function visibleRange(count: number, { top, height, rowHeight }: ScrollPosition): VisibleRange {
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - margin, count));
  return { first, end: Math.min(count, Math.ceil((top + height) / rowHeight) + margin) };
}

/** Returns where to scroll so that a row is in sight; undefined when it is. */
export function scrollTo(index: number, { top, height, rowHeight }: ScrollPosition): number | undefined {
  if (index * rowHeight < top) return index * rowHeight;
  if ((index + 1) * rowHeight > top + height) return (index + 1) * rowHeight - height;
  return undefined;
}
