/** View of one workspace. */

import type { PageAnswer } from '../page-model.ts';
import { ConditionGraph } from './condition-graph.tsx';
import { ConditionPanel } from './condition-panel.tsx';
import { EventList } from './event-list.tsx';
import { addressOf, type PageRoute } from './model/browser-session.ts';
import type { PageState } from './model/page-state.ts';
import { nameIn, namespaceIn, shownPhase } from './model/row-filter.ts';
import { toneOf } from './model/status-tone.ts';
import { ageText } from './model/time-text.ts';
import { PlanPanel } from './plan-panel.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Timeline } from './timeline.tsx';
import { useNow } from './use-page.tsx';

const urgency = { bad: 0, doubt: 1, busy: 2, idle: 3, good: 4 } as const;

/** One workspace: graph, the chosen condition, next moves, timeline and events. */
export function WorkspaceDetail({
  state,
  route,
  requestAction,
}: {
  readonly state: PageState;
  readonly route: Extract<PageRoute, { readonly kind: 'workspace' }>;
  readonly requestAction: (name: string) => Promise<PageAnswer>;
}) {
  const now = useNow(state.skew);
  const { workspace } = state;
  const { key } = route;
  if (workspace === undefined) return <p class="empty muted">Loading {key}…</p>;
  if (workspace === null)
    return (
      <div class="empty">
        <h1>{key}</h1>
        <p class="muted">There is no such workspace, or you may not see it.</p>
        <p>
          <a href="#/">All workspaces</a>
        </p>
      </div>
    );
  const { conditions } = workspace;
  const mostUrgent = conditions
    .filter(({ type }) => type !== 'Ready')
    .toSorted((one, other) => urgency[toneOf(one.status)] - urgency[toneOf(other.status)])[0];
  const chosen = conditions.find(({ type }) => type === route.condition) ?? mostUrgent ?? conditions[0];
  return (
    <article aria-label={`Workspace ${key}`}>
      <header class="title">
        <a class="back" href="#/">
          <span aria-hidden="true">←</span> All
        </a>
        <h1>
          {nameIn(key)} <span class="muted">{namespaceIn(key)}</span>
        </h1>
        <StatusBadge status={shownPhase(workspace)} />
        {workspace.paused && <span class="tag">paused</span>}
        {workspace.className && <span class="tag">class {workspace.className}</span>}
        <span class="muted small">
          {workspace.host && <code>{workspace.host}</code>} generation {workspace.generation}, age{' '}
          {ageText(workspace.created, now)}
        </span>
      </header>
      <ConditionGraph workspace={key} conditions={conditions} selected={chosen?.type} now={now} />
      <div class="columns">
        <div>
          {chosen && <ConditionPanel condition={chosen} now={now} />}
          <PlanPanel workspace={workspace} plans={state.session?.plans ?? false} requestAction={requestAction} />
        </div>
        <div>
          <Timeline conditions={conditions} now={now} />
          <EventList events={workspace.events} now={now} />
        </div>
      </div>
      <p class="muted small">
        uid <code>{workspace.uid}</code> · <a href={addressOf(key)}>address of this workspace</a>
      </p>
    </article>
  );
}
