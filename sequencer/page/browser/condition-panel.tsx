/** Panel of one condition. */

import type { ComponentChildren } from 'preact';
import type { ConditionView, JournalView } from '../page-model.ts';
import { ageText, timeText } from './model/time-text.ts';
import { StatusBadge } from './status-badge.tsx';

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const phases: Readonly<Record<string, string>> = {
  none: 'not started',
  intent: 'an attempt is under way',
  done: 'done',
  failed: 'the last attempt failed',
  unknown: 'the outcome is unknown: a person decides',
  gone: 'nothing is left outside',
};

function HolderFact({ journal, now }: { readonly journal: JournalView; readonly now: number }) {
  const { holder, changeSeenAt, leaseSeconds, beat, phase } = journal;
  const silent = changeSeenAt === undefined ? undefined : now - changeSeenAt;
  const expired =
    phase === 'intent' && silent !== undefined && leaseSeconds !== undefined && silent > leaseSeconds * 1000;
  return (
    <>
      <Fact name="Holder">
        <code>{holder}</code>
      </Fact>
      <Fact name="Beat">
        {beat ?? '–'}
        {silent !== undefined && <span class="muted"> last change seen {timeText(silent)} ago</span>}
        {expired && <span class="tag doubt">silent for longer than its lease</span>}
      </Fact>
    </>
  );
}

function AttemptFacts({ journal, now }: { readonly journal: JournalView; readonly now: number }) {
  const { op, key, attempt, token, since, leaseSeconds, cause } = journal;
  return (
    <>
      <Fact name="Operation">
        {op} <code>{key}</code>
      </Fact>
      <Fact name="Attempt">
        {attempt ?? 1} <span class="muted">token {token}</span>
      </Fact>
      <HolderFact journal={journal} now={now} />
      {since && (
        <Fact name="Since">
          {ageText(since, now)}
          {leaseSeconds !== undefined && <span class="muted"> lease {leaseSeconds} s</span>}
        </Fact>
      )}
      {cause && <Fact name="Cause">{cause}</Fact>}
    </>
  );
}

function Journal({ journal, now }: { readonly journal: JournalView; readonly now: number }) {
  const { phase, doubts, ids } = journal;
  return (
    <>
      <h3>Journal</h3>
      <dl class="facts">
        <Fact name="State">
          <b>{phase}</b> <span class="muted">{Object.hasOwn(phases, phase) ? phases[phase] : ''}</span>
        </Fact>
        {phase !== 'none' && <AttemptFacts journal={journal} now={now} />}
        {ids.length > 0 && (
          <Fact name="External ids">
            {ids.map((id) => (
              <code key={id} class="block">
                {id}
              </code>
            ))}
          </Fact>
        )}
      </dl>
      {doubts.length > 0 && (
        <ul class="doubts">
          {doubts.map((doubt) => (
            <li key={doubt}>{doubt}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** One condition: its status, journal and outputs. */
export function ConditionPanel({ condition, now }: { readonly condition: ConditionView; readonly now: number }) {
  const { type, integration, status, reason, since, after, waitsFor, next, policy, claimed, journal, outputs } =
    condition;
  return (
    <section class="card" aria-label={`Condition ${type}`}>
      <header class="card-head">
        <h2>{type}</h2> <StatusBadge status={status} />
      </header>
      <p class="telling">{reason}</p>
      <dl class="facts">
        <Fact name="Since">{ageText(since, now)}</Fact>
        <Fact name="Next">{next}</Fact>
        {integration && (
          <Fact name="Integration">
            {integration} {claimed && <span class="tag">claimed</span>}{' '}
            {policy !== 'manage' && <span class="tag">policy {policy}</span>}
          </Fact>
        )}
        {after.length > 0 && <Fact name="After">{after.join(', ')}</Fact>}
        {waitsFor.length > 0 && <Fact name="Waits for">{waitsFor.join(', ')}</Fact>}
      </dl>
      {journal && <Journal journal={journal} now={now} />}
      {outputs.length > 0 && (
        <>
          <h3>Outputs</h3>
          <dl class="facts">
            {outputs.map(({ name, value, secret }) => (
              <Fact key={name} name={name}>
                {secret ? <span class="muted">{value}</span> : <code>{value}</code>}
              </Fact>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
