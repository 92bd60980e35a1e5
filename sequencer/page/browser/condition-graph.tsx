/** Graph of the conditions of a workspace, as SVG. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConditionView } from '../page-model.ts';
import { addressOf } from './model/browser-session.ts';
import { type GraphLayout, layoutGraph } from './model/graph-layout.ts';
import { toneOf } from './model/status-tone.ts';
import { ageText } from './model/time-text.ts';
import { StatusBadge } from './status-badge.tsx';

const card = { width: 212, least: 146, height: 96, gapX: 36, gapY: 20 };

/** Positions of the cards in px. */
interface Grid {
  readonly width: number;
  left(column: number): number;
  top(row: number): number;
}

/** Returns a grid that fits into a width, as long as its cards stay readable. */
function gridFor(columns: number, space: number): Grid {
  const fit = Math.floor((space - (columns - 1) * card.gapX) / Math.max(1, columns));
  const width = Math.max(card.least, Math.min(card.width, fit));
  return {
    width,
    left: (column) => column * (width + card.gapX),
    top: (row) => row * (card.height + card.gapY),
  };
}

const isSettled = (status: string | undefined): boolean => status !== undefined && toneOf(status) === 'good';

function Edges({
  layout,
  grid,
  conditions,
}: {
  readonly layout: GraphLayout;
  readonly grid: Grid;
  readonly conditions: readonly ConditionView[];
}) {
  const places = new Map(layout.positions.map((place) => [place.id, place]));
  const known = new Map(conditions.map((one) => [one.type, one]));
  const width = grid.left(layout.columns) - card.gapX;
  const height = grid.top(layout.rows) - card.gapY;
  return (
    <svg class="edges" width={width} height={height} aria-hidden="true" focusable="false">
      {layout.edges.map(([from, to]) => {
        const [one, other] = [places.get(from), places.get(to)];
        if (one === undefined || other === undefined) return null;
        const [x, y] = [grid.left(one.column) + grid.width, grid.top(one.row) + card.height / 2];
        const [endX, endY] = [grid.left(other.column), grid.top(other.row) + card.height / 2];
        const bend = Math.max(18, (endX - x) / 2);
        const waits = known.get(to)?.waitsFor.includes(from) || known.get(from)?.waitsFor.includes(to);
        const look = waits ? 'waits' : isSettled(known.get(from)?.status) ? 'settled' : '';
        return (
          <g key={`${from} ${to}`} class={look}>
            <path d={`M${x} ${y} C${x + bend} ${y} ${endX - bend} ${endY} ${endX - 7} ${endY}`} />
            <path class="head" d={`M${endX - 8} ${endY - 4.5} L${endX} ${endY} L${endX - 8} ${endY + 4.5} z`} />
          </g>
        );
      })}
    </svg>
  );
}

/** Follows the width inside of an element. */
function useSpace() {
  const box = useRef<HTMLElement>(null);
  const [space, setSpace] = useState(900);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setSpace(Math.floor(entry?.contentRect.width ?? 900)));
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, space };
}

/** Graph of the conditions of a workspace by their dependencies. */
export function ConditionGraph({
  workspace,
  conditions,
  selected,
  now,
}: {
  readonly workspace: string;
  readonly conditions: readonly ConditionView[];
  readonly selected: string | undefined;
  readonly now: number;
}) {
  const layout = layoutGraph(conditions.map(({ type, after }) => ({ id: type, after })));
  const known = new Map(conditions.map((one) => [one.type, one]));
  const { box, space } = useSpace();
  const grid = gridFor(layout.columns, space);
  const size = {
    width: `${grid.left(layout.columns) - card.gapX}px`,
    height: `${grid.top(layout.rows) - card.gapY}px`,
  };
  return (
    <section class="graph-box" aria-label="Graph of the conditions" ref={box}>
      <div class="graph" style={size}>
        <Edges layout={layout} grid={grid} conditions={conditions} />
        <ol>
          {layout.positions.map(({ id, column, row }) => {
            const condition = known.get(id);
            if (condition === undefined) return null;
            const { status, reason, since, waitsFor, journal } = condition;
            const busy = journal?.phase === 'intent';
            return (
              <li
                key={id}
                style={{ left: `${grid.left(column)}px`, top: `${grid.top(row)}px`, width: `${grid.width}px` }}
              >
                <a
                  class={`node ${toneOf(status)} ${busy ? 'writing' : ''}`}
                  href={addressOf(workspace, id)}
                  aria-current={selected === id ? 'true' : undefined}
                >
                  <b>{id}</b>
                  <StatusBadge status={status} />
                  <span class="reason muted">
                    {ageText(since, now)} · {waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : reason}
                  </span>
                </a>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}
