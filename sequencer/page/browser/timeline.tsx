/** Chart of the statuses over time. */

import type { ConditionView, StatusSpan } from '../page-model.ts';
import { toneOf } from './model/status-tone.ts';
import { timeText } from './model/time-text.ts';
import { marksOf, placeSpans, type TimeWindow, windowOf } from './model/timeline-scale.ts';

const lengthOf = ({ from, to }: StatusSpan, now: number): number => (to ?? now) - from;

function Bar({
  spans,
  window,
  now,
}: {
  readonly spans: readonly StatusSpan[];
  readonly window: TimeWindow;
  readonly now: number;
}) {
  return (
    <div class="track">
      {placeSpans(spans, window, now).map(({ span, left, width }) => (
        <span
          key={span.from}
          class={`span ${toneOf(span.status)}`}
          style={{ left: `${left}%`, width: `${Math.max(0.4, width)}%` }}
          title={`${span.status}: ${span.reason} (${timeText(lengthOf(span, now))})`}
          aria-hidden="true"
        >
          {width > 15 ? span.status : ''}
        </span>
      ))}
      <span class="hidden">
        {spans.map((span) => `${span.status} for ${timeText(lengthOf(span, now))}`).join(', then ')}
      </span>
    </div>
  );
}

/** Statuses of the conditions over the time of the last walk. */
export function Timeline({ conditions, now }: { readonly conditions: readonly ConditionView[]; readonly now: number }) {
  const window = windowOf(
    conditions.map(({ spans }) => spans),
    now,
  );
  const length = window.to - window.from;
  return (
    <section class="card" aria-label="Timeline">
      <header class="card-head">
        <h2>Timeline</h2>
        <span class="muted small">the last walk, {timeText(length)}</span>
      </header>
      <table class="timeline">
        <thead class="hidden">
          <tr>
            <th scope="col">Condition</th>
            <th scope="col">Statuses</th>
          </tr>
        </thead>
        <tbody>
          {conditions.map(({ type, spans }) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td>
                <Bar spans={spans} window={window} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="scale" aria-hidden="true">
        {marksOf(window).map((at) => (
          <span key={at} style={{ left: `${(100 * at) / length}%` }}>
            {at === 0 ? '0' : timeText(at).replace('.0 s', ' s')}
          </span>
        ))}
      </div>
    </section>
  );
}
