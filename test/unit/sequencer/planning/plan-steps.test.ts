import test from 'ava';
import { claimOf, type Integration } from '../../../../sdk/index.ts';
import { laterText, planBlocker, stepsOf } from '../../../../sequencer/planning/plan-steps.ts';
import { aWorkspace } from '../../a-workspace.ts';

const integration = (condition: string, after: readonly string[] = []): Integration => ({
  name: condition.toLowerCase(),
  condition,
  after,
  handles: () => true,
  connect: () => ({ reconcile: async () => undefined, terminate: async () => undefined }),
});
const integrations = [integration('Mail', ['DNS']), integration('DNS', ['Disk']), integration('Disk')];
const finalizers = integrations.map(({ name }) => claimOf(name));

test('steps up are in the order of what comes after what, and say what they wait for', (t) => {
  const steps = stepsOf(aWorkspace({ conditions: { Disk: 'Completed' } }), integrations);
  const told = steps.map((step) => `${step.kind} ${step.integration.condition}${laterText(step)}`);
  t.deepEqual(told, ['reconcile Disk', 'reconcile DNS', 'reconcile Mail (after DNS)']);
});

test('steps down are in reverse order, of what is claimed', (t) => {
  const steps = stepsOf(aWorkspace({ finalizers: finalizers.slice(1), deleting: true }), integrations);
  t.deepEqual(
    steps.map(({ kind, integration: { condition } }) => `${kind} ${condition}`),
    ['terminate DNS', 'terminate Disk'],
  );
});

test('an open question, an attempt under way and two integrations of one condition stand in the way', (t) => {
  const guards = { Disk: { phase: 'unknown' }, DNS: { phase: 'intent', op: 'create', holder: 'host.1' } } as const;
  const workspace = aWorkspace({ finalizers, guards });
  const rival = { ...integration('Mail'), name: 'other-mail' };
  const told = stepsOf(workspace, [...integrations, rival]).map((step) => planBlocker(workspace, step) ?? '');
  t.is(told[0], 'waits for a person: sequencer resolve shop Disk');
  t.regex(told[1] ?? '', /"create" is running.*held by host\.1/);
  t.regex(told[2] ?? '', /mail.*other-mail|other-mail.*mail/);
});
