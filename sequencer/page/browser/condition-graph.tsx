import type { ConditionView } from '../page-model.ts';
import { addressOf } from './browser-session.ts';
import { type GraphLayout, layoutGraph } from './graph-layout.ts';
import { StatusBadge } from './status-badge.tsx';
import { toneOf } from './status-tone.ts';
import { ageText } from './time-text.ts';

const card = { width: 212, height: 96, gapX: 64, gapY: 20 };

const leftOf = (column: number): number => column * (card.width + card.gapX);
const topOf = (row: number): number => row * (card.height + card.gapY);

const isSettled = (status: string | undefined): boolean => status !== undefined && toneOf(status) === 'good';

function Edges({
  layout,
  conditions,
}: {
  readonly layout: GraphLayout;
  readonly conditions: readonly ConditionView[];
}) {
  const places = new Map(layout.places.map((place) => [place.id, place]));
  const known = new Map(conditions.map((one) => [one.type, one]));
  const width = leftOf(layout.columns) - card.gapX;
  const height = topOf(layout.rows) - card.gapY;
  return (
    <svg class="edges" width={width} height={height} aria-hidden="true" focusable="false">
      {layout.edges.map(([from, to]) => {
        const [one, other] = [places.get(from), places.get(to)];
        if (one === undefined || other === undefined) return null;
        const [x, y] = [leftOf(one.column) + card.width, topOf(one.row) + card.height / 2];
        const [endX, endY] = [leftOf(other.column), topOf(other.row) + card.height / 2];
        const bend = Math.max(24, (endX - x) / 2);
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

/** Conditions of a workspace and what waits for what. */
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
  const size = { width: `${leftOf(layout.columns) - card.gapX}px`, height: `${topOf(layout.rows) - card.gapY}px` };
  return (
    <section class="graph-box" aria-label="Graph of the conditions">
      <div class="graph" style={size}>
        <Edges layout={layout} conditions={conditions} />
        <ol>
          {layout.places.map(({ id, column, row }) => {
            const condition = known.get(id);
            if (condition === undefined) return null;
            const { status, reason, since, waitsFor, journal } = condition;
            const busy = journal?.phase === 'intent';
            return (
              <li key={id} style={{ left: `${leftOf(column)}px`, top: `${topOf(row)}px` }}>
                <a
                  class={`node ${toneOf(status)} ${busy ? 'writing' : ''}`}
                  href={addressOf(workspace, id)}
                  aria-current={selected === id ? 'true' : undefined}
                >
                  <b>{id}</b>
                  <span class="since muted">{ageText(since, now)}</span>
                  <StatusBadge status={status} />
                  <span class="reason muted">{waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : reason}</span>
                </a>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}
