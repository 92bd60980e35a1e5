/** Table of events. */

import type { EventView } from '../page-model.ts';
import { ageText } from './model/time-text.ts';

/** Kubernetes events about a workspace. */
export function EventList({
  events,
  now,
}: {
  readonly events: readonly EventView[] | undefined;
  readonly now: number;
}) {
  return (
    <section class="card" aria-label="Events">
      <header class="card-head">
        <h2>Events</h2>
      </header>
      {events === undefined && <p class="muted">You may not list the events of this namespace.</p>}
      {events?.length === 0 && <p class="muted">None yet.</p>}
      <ol class="events">
        {events?.map(({ at, type, reason, message, count, from }, index) => (
          <li key={`${at} ${reason} ${index}`} class={type === 'Warning' ? 'warning' : ''}>
            <time dateTime={at} class="muted">
              {ageText(at, now)}
            </time>
            <div>
              <b>{reason}</b> {count > 1 && <span class="tag">×{count}</span>} <span class="muted small">{from}</span>
              <p>{message}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
