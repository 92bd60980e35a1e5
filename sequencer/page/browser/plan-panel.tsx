import { useEffect, useState } from 'preact/hooks';
import type { ConditionView, PageAnswer } from '../page-model.ts';

/** Next moves, and on demand what each integration would change. */
export function PlanPanel({
  workspace,
  conditions,
  plans,
  ask,
}: {
  readonly workspace: string;
  readonly conditions: readonly ConditionView[];
  readonly plans: boolean;
  readonly ask: (name: string) => Promise<PageAnswer>;
}) {
  const [answer, setAnswer] = useState<PageAnswer>();
  useEffect(() => {
    if (workspace !== '') setAnswer(undefined);
  }, [workspace]);
  const plan = () => {
    setAnswer({ said: 'Asking…' });
    ask('plan').then(setAnswer, (error: Error) => setAnswer({ said: error.message }));
  };
  return (
    <section class="card" aria-label="Next moves">
      <header class="card-head">
        <h2>Next</h2>
        {plans && (
          <button type="button" onClick={plan}>
            Plan changes
          </button>
        )}
      </header>
      <dl class="facts moves">
        {conditions.map(({ type, next }) => (
          <div key={type}>
            <dt>{type}</dt>
            <dd>{next}</dd>
          </div>
        ))}
      </dl>
      <div role="status">
        {answer && <p class="telling">{answer.said}</p>}
        {answer?.plan && (
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Condition</th>
                <th scope="col">Action</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {answer.plan.map(({ condition, action, what, heldBack }) => (
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
        )}
      </div>
    </section>
  );
}
