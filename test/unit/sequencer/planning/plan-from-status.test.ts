import test from 'ava';
import { claimOf, type Integration, policyAnnotation, type Workspace } from '../../../../sdk/index.ts';
import { recordedPlanOf } from '../../../../sequencer/planning/plan-from-status.ts';
import { aWorkspace } from '../../a-workspace.ts';

const integration = (condition: string, after: readonly string[] = []): Integration => ({
  name: condition.toLowerCase(),
  condition,
  after,
  handles: () => true,
  connect: () => {
    throw new Error('no integration is asked');
  },
});
const integrations = [integration('Mail', ['Disk', 'DNS']), integration('DNS', ['Disk']), integration('Disk')];
const finalizers = integrations.map(({ name }) => claimOf(name));

const planned = (workspace: Workspace, redact = (text: string) => text): readonly string[] =>
  recordedPlanOf(workspace, integrations, redact).map(({ condition, action, what, heldBack }) =>
    [condition, action, what, ...(heldBack ? ['(held back)'] : [])].join(' | '),
  );

const done = { phase: 'done', op: 'create' } as const;

test('what is to come is reported in the order of the steps, with what each waits for', (t) => {
  const guards = {
    Disk: { ...done, refs: [{ id: 'd-1' }] },
    DNS: { ...done, refs: [{ id: 'r-1' }] },
    Mail: { phase: 'none' },
  } as const;
  const conditions = { Disk: 'Completed', DNS: 'In Progress', Mail: 'Waiting' } as const;
  t.deepEqual(planned(aWorkspace({ finalizers, guards, conditions })), [
    'Disk | nothing | up to date at the last check',
    'DNS | update or keep | {"id":"r-1"}',
    'Mail | create or adopt | no id is recorded (after DNS)',
  ]);
});

test('a deletion tells the ids that go, the last first, and what stays', (t) => {
  const guards = {
    Disk: { ...done, refs: [{ id: 'd-1' }] },
    DNS: { ...done, refs: [{ id: 'r-1' }] },
    Mail: { phase: 'gone' },
  } as const;
  const annotations = { [policyAnnotation('DNS')]: 'orphan' };
  t.deepEqual(planned(aWorkspace({ finalizers, guards, annotations, deleting: true })), [
    'Mail | nothing | nothing of it is left',
    'DNS | orphan | the external objects stay: {"id":"r-1"}',
    'Disk | delete | {"id":"d-1"}',
  ]);
});

test('what a policy forbids is held back, an open question and a pause are reported', (t) => {
  const guards = { Disk: { phase: 'unknown' }, DNS: { phase: 'none' }, Mail: { phase: 'none' } } as const;
  const annotations = { [policyAnnotation('DNS')]: 'plan' };
  const [disk, dns, mail] = planned(aWorkspace({ finalizers, guards, annotations, conditions: { Disk: 'Unknown' } }));
  t.is(disk, 'Disk | unknown | waits for a person: sequencer resolve shop Disk');
  t.is(dns, 'DNS | create or adopt | no id is recorded (after Disk) | (held back)');
  t.is(mail, 'Mail | create or adopt | no id is recorded (after Disk, DNS)');
  const paused = planned(aWorkspace({ finalizers, guards, annotations: { 'se.quencer.io/paused': 'true' } }));
  t.true(paused.every((row) => row.endsWith('| nothing | the workspace is paused')));
});

test('ids are bounded and without secrets', (t) => {
  const refs = Array.from({ length: 40 }, (_, index) => ({ id: `${'x'.repeat(1000)}-${index}`, note: 'hunter2' }));
  const guards = { Disk: { ...done, refs }, DNS: { phase: 'none' }, Mail: { phase: 'none' } } as const;
  const [disk = ''] = planned(aWorkspace({ finalizers, guards }), (text) => text.replaceAll('hunter2', '***'));
  t.true(disk.length < 3000, `${disk.length}`);
  t.true(disk.endsWith(' and 32 more'));
  t.notRegex(disk, /hunter2/);
});
