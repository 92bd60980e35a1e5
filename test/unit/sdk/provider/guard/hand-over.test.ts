import test from 'ava';
import { type Task, Workspace } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { created, guarding, key, passing, stateOf, times } from '../guarding.ts';

test('a fenced attempt hands its ids over and says so', async (t) => {
  const stage = await aTargetCluster();
  const task: Task = async () => {
    const entry = (await stage.read()).status?.guards?.DNS;
    const operations = [
      { op: 'replace' as const, path: '/status/guards/DNS', value: { ...entry, token: 2, holder: 'other/x' } },
    ];
    await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    return created();
  };
  await stage.create();
  await t.throwsAsync(passing(stage, stage.actor([guarding({ task })], { times }).walk()), { name: 'FencedError' });
  t.like((await stateOf(stage)).entry, { phase: 'intent', token: 2, holder: 'other/x', late: [{ id: 'a' }] });
});

test('a fenced deletion does not hand over an id that it was given: its successor may have deleted the object', async (t) => {
  const stage = await aTargetCluster();
  const terminate: Task = async () => {
    const { refs: _refs, ...entry } = (await stage.read()).status!.guards!.DNS!;
    const value = { ...entry, token: entry.token + 1, holder: 'other/x' };
    const operations = [{ op: 'replace' as const, path: '/status/guards/DNS', value }];
    await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    return created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task: async () => created(), terminate })], { times });
  await actor.walk();
  await stage.delete();
  await t.throwsAsync(passing(stage, actor.walk()), { name: 'FencedError' });
  const { entry } = await stateOf(stage);
  t.is(entry?.holder, 'other/x');
  t.is(entry?.late, undefined);
});
