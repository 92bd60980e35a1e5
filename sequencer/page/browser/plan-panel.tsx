/** Panel of the plan of a workspace. */

import { useEffect, useState } from 'preact/hooks';
import type { PageAnswer, PlannedRow, WorkspaceView } from '../page-model.ts';

function PlanTable({ label, rows }: { readonly label: string; readonly rows: readonly PlannedRow[] }) {
  if (rows.length === 0) return <p class="muted">Nothing would be done.</p>;
  return (
    <table class="plain" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Condition</th>
          <th scope="col">Action</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ condition, action, what, heldBack }) => (
          <tr key={`${condition} ${what}`}>
            <td>{condition}</td>
            <td>
              {action} {heldBack && <span class="tag">held back</span>}
            </td>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Recorded plan, on demand a dry run with calls to third parties, and the next moves. */
export function PlanPanel({
  workspace: { key, conditions, plan },
  plans,
  requestAction,
}: {
  readonly workspace: WorkspaceView;
  readonly plans: boolean;
  readonly requestAction: (name: string) => Promise<PageAnswer>;
}) {
  const [answer, setAnswer] = useState<PageAnswer>();
  useEffect(() => {
    if (key !== '') setAnswer(undefined);
  }, [key]);
  const requestPlan = () => {
    setAnswer({ message: 'Calling the third parties…' });
    requestAction('plan').then(setAnswer, (error: Error) => setAnswer({ message: error.message }));
  };
  return (
    <section class="card" aria-label="Plan">
      <header class="card-head">
        <h2>Plan</h2>
        {plans && (
          <button type="button" onClick={requestPlan}>
            Plan changes
          </button>
        )}
      </header>
      <p class="muted small telling">
        By journals, conditions and policies; no third party is asked.{' '}
        {plans ? '“Plan changes” asks them, and changes nothing.' : 'sequencer plan asks them, and changes nothing.'}
      </p>
      {typeof plan === 'string' ? <p class="telling">{plan}</p> : <PlanTable label="Recorded plan" rows={plan} />}
      <div role="status">
        {answer && <p class="telling">{answer.message}</p>}
        {answer?.plan && <PlanTable label="Dry run" rows={answer.plan} />}
      </div>
      <h3>Next moves</h3>
      <dl class="facts moves">
        {conditions.map(({ type, next }) => (
          <div key={type}>
            <dt>{type}</dt>
            <dd>{next}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
