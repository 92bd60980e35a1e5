import test from 'ava';
import { conditionOf, defineIntegration, mirrorAnnotation, Workspace } from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { boxes, key, times } from '../sdk/provider/a-keeper.ts';
import { settled, wipeStatus } from './engine/fixtures/a-renaming.ts';

test('given its condition back after a wiped status, and an end under the other one, it continues', async (t) => {
  const [target, made] = [await aTargetCluster(), new Set<string>()];
  const keeper = (condition: string) =>
    defineIntegration({
      name: 'boxes',
      condition,
      handles: ({ spec }) => spec.integrations?.boxes !== undefined,
      connect: ({ controller }) => ({
        reconcile: async () => {
          if (controller.condition.status === 'Completed') return;
          await controller.guard('creating', async ({ refs }) => {
            if (refs.length === 0) made.add(condition);
            return { status: 'Completed', reason: 'created', refs: [{ id: condition }] };
          });
        },
        terminate: () =>
          controller.guard(
            'deleting',
            async ({ refs }) => {
              for (const { id } of refs) made.delete(String(id));
              return { status: 'Terminated', reason: 'deleted', refs: [] };
            },
            { op: 'delete' },
          ),
      }),
    });
  const ask = (wanted: object | null) =>
    target.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { boxes: wanted } } } });
  await target.create(boxes({}));
  const actor = target.actor([keeper('Boxes')], { times });
  await actor.walk();
  const renamed = target.actor([keeper('Crates')], { holder: 'renamed', times });
  await wipeStatus(target);
  await renamed.walk();
  await ask(null);
  await renamed.walk();
  t.is((await target.read()).status?.guards?.Crates?.phase, 'gone');
  t.deepEqual([...made], ['Boxes']);
  await ask({});
  await renamed.walk();
  const back = target.actor([keeper('Boxes')], { holder: 'back', times });
  await settled(target, back);
  await settled(target, back);
  t.deepEqual([...made], ['Boxes']);
  const workspace = await target.read();
  t.is(conditionOf(workspace, 'Boxes').status, 'Completed', conditionOf(workspace, 'Boxes').reason);
  t.is(workspace.metadata.annotations?.[mirrorAnnotation('Crates')], undefined);
});
