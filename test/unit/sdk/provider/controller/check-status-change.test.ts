import test from 'ava';
import type { Draft } from 'immer';
import { createDryRunController } from '../../../../../sdk/host/index.ts';
import { ContractError, createController, Workspace, type WorkspaceStatus } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { aCondition, anEntry } from '../../../a-workspace.ts';
import { key } from '../guarding.ts';

type Recipe = (status: Draft<WorkspaceStatus>) => unknown;

async function aScene() {
  const stage = await aTargetCluster();
  await stage.create();
  const status = {
    phase: 'Deploying',
    guards: { DNS: anEntry(), Mail: anEntry() },
    conditions: [aCondition('DNS', 'Completed'), aCondition('Mail', 'Completed')],
  };
  const workspace = await stage.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status } },
    { subresource: 'status' },
  );
  const [{ host }, scope] = [stage.actor([]), { type: 'DNS', claim: 'se.quencer.io/dns', terminating: false }];
  return {
    stage,
    handles: [createController(host, workspace, scope), createDryRunController(host, workspace, scope).controller],
  };
}

const refused: readonly (readonly [title: string, recipe: Recipe, message: RegExp])[] = [
  ['empty the journal', (status) => delete status.guards, /must not change status\.guards, which is not/],
  ['change its own journal entry', (status) => (status.guards!.DNS!.phase = 'gone'), /must not change status\.guards/],
  ['set the phase', (status) => (status.phase = 'Healthy'), /must not change status\.phase/],
  [
    'change another condition',
    (status) => (status.conditions![1]!.status = 'Error'),
    /must not change condition Mail, which is not its integration’s$/,
  ],
  ['drop all conditions', (status) => delete status.conditions, /must not change condition Mail/],
  [
    'add a condition of another owner',
    (status) => status.conditions!.push(aCondition('Ready', 'True')),
    /must not change condition Ready/,
  ],
  ['be async', async () => {}, /update: the recipe must not be async; found a Promise$/],
];
for (const [title, recipe, message] of refused)
  test(`a recipe must not ${title}`, async (t) => {
    const { stage, handles } = await aScene();
    const { revision } = stage.cluster;
    for (const handle of handles)
      await t.throwsAsync(handle.update(recipe as (status: Draft<WorkspaceStatus>) => void), {
        instanceOf: ContractError,
        message,
      });
    t.is(stage.cluster.revision, revision);
  });

test('whatever else the status holds may be changed, and what is set as it was does not count', async (t) => {
  const { stage, handles } = await aScene();
  for (const handle of handles)
    await handle.update((status) => {
      status.host = 'shop.example.com';
      status.dns = [{ recordType: 'A', name: 'shop', target: '127.0.0.1' }];
      status.conditions = structuredClone([aCondition('DNS', 'Completed'), aCondition('Mail', 'Completed')]);
    });
  t.like((await stage.read()).status, { host: 'shop.example.com', dns: [{ name: 'shop' }] });
});
