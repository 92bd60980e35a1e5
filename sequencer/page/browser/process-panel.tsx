/** Panel of the sequencer's process. */

import type { LimitView, ObjectView } from '../page-model.ts';
import type { PageState } from './model/page-state.ts';
import { timeText } from './model/time-text.ts';

function Figure({ name, value, tone = '' }: { readonly name: string; readonly value: number; readonly tone?: string }) {
  return (
    <div class={`number ${value > 0 ? tone : ''}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Limits({ limits }: { readonly limits: readonly LimitView[] }) {
  return (
    <section class="card" aria-label="Limits and circuit breakers">
      <header class="card-head">
        <h2>Limits and circuit breakers</h2>
      </header>
      {limits.length === 0 ? (
        <p class="muted">No rate limit is in use now.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Integrations</th>
              <th scope="col">Credential</th>
              <th scope="col">Breaker</th>
              <th scope="col">Waiting</th>
              <th scope="col">Next call</th>
            </tr>
          </thead>
          <tbody>
            {limits.map(({ integrations, credential, breaker, waiting, wait }) => (
              <tr key={`${integrations.join()} ${credential}`}>
                <td>{integrations.join(', ')}</td>
                <td>{credential}</td>
                <td>
                  <span class={`badge ${breaker === 'closed' ? 'good' : 'bad'}`}>{breaker}</span>
                </td>
                <td>{waiting}</td>
                <td>{wait === 0 ? 'now' : `in ${timeText(wait)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Objects({ objects }: { readonly objects: readonly ObjectView[] }) {
  return (
    <section class="card" aria-label="Objects of the cluster">
      <header class="card-head">
        <h2>Objects of the cluster in memory</h2>
        <span class="muted small">{objects.length}</span>
      </header>
      {objects.length === 0 ? (
        <p class="muted">None yet.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Name</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {objects.slice(0, 500).map(({ resource, namespace, name, state }) => (
              <tr key={`${resource} ${namespace} ${name}`}>
                <td>{resource}</td>
                <td>
                  <span class="muted">{namespace}/</span>
                  {name}
                </td>
                <td>{state}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** State of the sequencer's process, and of the cluster in memory. */
export function ProcessPanel({ state: { process, objects } }: { readonly state: PageState }) {
  return (
    <article aria-label="Sequencer">
      <header class="title">
        <h1>Sequencer</h1>
      </header>
      {process === undefined ? (
        <p class="muted">Choose a workspace.</p>
      ) : (
        <>
          {process.problems.map((problem) => (
            <p key={problem} class="banner">
              {problem}
            </p>
          ))}
          <section class="card" aria-label="Queue">
            <header class="card-head">
              <h2>Queue</h2>
            </header>
            <dl class="numbers">
              <Figure name="running" value={process.running} tone="busy" />
              <Figure name="ready" value={process.ready} tone="busy" />
              <Figure name="delayed" value={process.delayed} />
              <Figure name="held" value={process.held} />
              <Figure name="walks" value={process.runs} />
              <Figure name="failed" value={process.failures} />
              <Figure name="failing now" value={process.failing} tone="bad" />
            </dl>
          </section>
          <Limits limits={process.limits} />
        </>
      )}
      {objects && <Objects objects={objects.objects} />}
    </article>
  );
}
