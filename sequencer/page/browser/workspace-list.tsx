/** List of workspaces. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { WorkspaceRow } from '../page-model.ts';
import { addressOf } from './model/browser-session.ts';
import type { PageState } from './model/page-state.ts';
import { choicesIn, matching, nameIn, namespaceIn, noFilter, shownPhase } from './model/row-filter.ts';
import { toneOf } from './model/status-tone.ts';
import { scrollTo, visibleRange } from './model/visible-range.ts';
import { StatusBadge } from './status-badge.tsx';
import { WorkspaceFilters } from './workspace-filters.tsx';

const rowHeight = 68;

function Row({
  row,
  index,
  count,
  isSelected,
}: {
  readonly row: WorkspaceRow;
  readonly index: number;
  readonly count: number;
  readonly isSelected: boolean;
}) {
  const settled = row.conditions.filter(({ status }) => toneOf(status) === 'good').length;
  return (
    <li aria-setsize={count} aria-posinset={index + 1} style={{ top: `${index * rowHeight}px` }}>
      <a href={addressOf(row.key)} data-index={index} aria-current={isSelected ? 'true' : undefined}>
        <span class="name">
          <b>{nameIn(row.key)}</b> <span class="muted">{namespaceIn(row.key)}</span>
        </span>
        <span class="state">
          {row.paused && <span class="tag">paused</span>} <StatusBadge status={shownPhase(row)} />
        </span>
        <span class="reason muted">{row.reason}</span>
        <span class="dots" title={row.conditions.map(({ type, status }) => `${type}: ${status}`).join('\n')}>
          <span class="hidden">{`${settled} of ${row.conditions.length} conditions settled`}</span>
          {row.conditions.slice(0, 12).map(({ type, status }) => (
            <i key={type} class={toneOf(status)} aria-hidden="true" />
          ))}
        </span>
      </a>
    </li>
  );
}

/** List of workspaces, with search and filters; only visible rows are rendered. */
export function WorkspaceList({
  state,
  selected,
}: {
  readonly state: PageState;
  readonly selected: string | undefined;
}) {
  const [filter, setFilter] = useState(noFilter);
  const choices = useMemo(() => choicesIn(state.rows), [state.rows]);
  const rows = useMemo(() => matching(state.rows, filter), [state.rows, filter]);
  const { box, place, measure } = useScroll();
  const [focusedIndex, setFocusedIndex] = useState<number>();
  const { first, end } = visibleRange(rows.length, { ...place, rowHeight });

  useEffect(() => {
    if (focusedIndex === undefined) return;
    box.current?.querySelector<HTMLElement>(`[data-index="${focusedIndex}"]`)?.focus({ preventScroll: true });
  }, [focusedIndex, first, end, box]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -rows.length, End: rows.length }[
      event.key
    ];
    const from = Number((event.target as HTMLElement).dataset?.index ?? Number.NaN);
    if (step === undefined || Number.isNaN(from)) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(rows.length - 1, from + step));
    const top = scrollTo(next, { ...place, rowHeight });
    if (top !== undefined) box.current?.scrollTo({ top });
    setFocusedIndex(next);
  };

  return (
    <section class="list" aria-label="Workspaces">
      <h1 class="hidden">Workspaces</h1>
      <WorkspaceFilters filter={filter} choices={choices} onFilter={setFilter} />
      <p class="count muted" role="status">
        {!state.complete
          ? 'Loading…'
          : rows.length === state.rows.length
            ? `${rows.length} workspace${rows.length === 1 ? '' : 's'}`
            : `${rows.length} of ${state.rows.length} workspaces`}
        {rows.length !== state.rows.length && (
          <button type="button" class="link" onClick={() => setFilter(noFilter)}>
            show all
          </button>
        )}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links in it */}
      <div class="rows" ref={box} onScroll={measure} onKeyDown={onKey} onFocusOut={() => setFocusedIndex(undefined)}>
        {rows.length === 0 && state.complete ? (
          <p class="empty muted">{state.rows.length === 0 ? 'None that you may list.' : 'No workspace matches.'}</p>
        ) : (
          <ul style={{ height: `${rows.length * rowHeight}px` }}>
            {rows.slice(first, end).map((row, offset) => (
              <Row
                key={row.key}
                row={row}
                index={first + offset}
                count={rows.length}
                isSelected={row.key === selected}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** Follows the size and the scroll position of an element. */
function useScroll() {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 800 });
  const measure = useCallback(() => {
    const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 800 };
    setPlace((known) =>
      known.top === scrollTop && known.height === clientHeight ? known : { top: scrollTop, height: clientHeight },
    );
  }, []);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [measure]);
  return { box, place, measure };
}
