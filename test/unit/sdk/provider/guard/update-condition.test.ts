import test from 'ava';
import {
  BusyError,
  type ConditionStatus,
  ContractError,
  conditionOf,
  createController,
  type GuardEntry,
  Workspace,
} from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { anEntry } from '../../../a-workspace.ts';
import { key } from '../guarding.ts';

/** A controller of a workspace with this journal entry. */
async function aController({ entry, terminating = true }: { entry?: Partial<GuardEntry>; terminating?: boolean } = {}) {
  const stage = await aTargetCluster();
  await stage.create();
  const guards = entry && { DNS: anEntry(entry) };
  const value = { status: { phase: 'Deploying', ...(guards && { guards }) } };
  const workspace = await stage.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
  const scope = { type: 'DNS', claim: 'se.quencer.io/dns', terminating };
  return { stage, controller: createController(stage.actor([]).host, workspace, scope) };
}

const bad: readonly (readonly [status: unknown, reason: unknown, message: RegExp])[] = [
  ['Done', 'x', /updateCondition: status must be one of .*; found "Done"$/],
  ['Completed', undefined, /updateCondition: reason must be a text that is not empty; found undefined$/],
];
for (const [status, reason, message] of bad)
  test(`a condition cannot say ${String(status)}, ${String(reason)}`, async (t) => {
    const { stage, controller } = await aController();
    const { revision } = stage.cluster;
    const said = controller.updateCondition(status as ConditionStatus, reason as string);
    await t.throwsAsync(said, { instanceOf: ContractError, message });
    t.is(stage.cluster.revision, revision);
  });

test('a condition that is so already costs no request', async (t) => {
  const { stage, controller } = await aController({ terminating: false });
  await controller.updateCondition('Completed', 'x'.repeat(2_000));
  const { revision } = stage.cluster;
  await controller.updateCondition('Completed', 'x'.repeat(2_000));
  t.is(stage.cluster.revision, revision);
});

test('a locked condition is not set', async (t) => {
  const { controller } = await aController({ entry: { phase: 'intent' } });
  await t.throwsAsync(controller.updateCondition('Terminated', 'gone'), { instanceOf: BusyError });
});

const ends: readonly (readonly [
  title: string,
  entry: Partial<GuardEntry> | undefined,
  phase: GuardEntry['phase'] | undefined,
])[] = [
  ['where nothing was journalled, the condition says it alone', undefined, undefined],
  ['where nothing was begun, too', { phase: 'none' }, 'none'],
  ['where a guard recorded nothing, the journal says gone', { phase: 'done' }, 'gone'],
  ['where a guard failed before it recorded anything, too', { phase: 'failed' }, 'gone'],
  ['what is gone stays so', { phase: 'gone', refs: [{ id: 'old' }] }, 'gone'],
];
for (const [title, entry, phase] of ends)
  test(`Terminated: ${title}`, async (t) => {
    const { stage, controller } = await aController(entry && { entry });
    await controller.updateCondition('Terminated', 'gone');
    const workspace = await stage.read();
    t.like(conditionOf(workspace, 'DNS'), { status: 'Terminated', reason: 'gone' });
    t.is(workspace.status?.guards?.DNS?.phase, phase);
  });

for (const refs of [{ refs: [{ id: 'a' }] }, { late: [{ id: 'a' }] }])
  test(`Terminated: refused while the journal holds ${JSON.stringify(refs)}`, async (t) => {
    const { stage, controller } = await aController({ entry: { phase: 'done', ...refs } });
    const message = /terminate says Terminated, but the journal still holds \[\{"id":"a"\}\]/;
    await t.throwsAsync(controller.updateCondition('Terminated', 'gone'), { instanceOf: ContractError, message });
    t.is((await stage.read()).status?.guards?.DNS?.phase, 'done');
  });
