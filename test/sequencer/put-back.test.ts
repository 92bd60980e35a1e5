import test from 'ava';
import { conditionOf, Workspace } from '../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../a-target-cluster.ts';
import { boxes, key, times } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';

const asking = (target: TargetCluster, sizes: Readonly<Record<string, number>> | null) =>
  target.client.patch(Workspace, key, {
    type: 'json',
    operations: [{ op: 'replace', path: '/spec', value: sizes === null ? {} : boxes(sizes) }],
  });

const isAsked = ({ spec }: Workspace): boolean => spec.integrations?.boxes !== undefined;

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const sizes of [{ a: 1 }, { a: 2 }])
    test(`a status from before a release, put back, makes nobody believe what is gone: ${identity}, ${sizes.a === 1 ? 'the same spec' : 'another spec'}`, async (t) => {
      const [target, party] = [await aTargetCluster(), aThirdParty()];
      const keeper = { ...boxKeeper(party.resource(identity)), handles: isAsked };
      const actor = target.actor([keeper], { times });
      const settle = async (): Promise<void> => {
        for (let walks = 0; walks < 8; walks += 1) {
          await actor.walk().catch(() => undefined);
          await target.clock.advance(10_000);
        }
      };
      await target.create(boxes({ a: 1 }));
      await settle();
      const { status } = await target.read();
      await asking(target, null);
      await settle();
      t.deepEqual([party.boxes.length, (await target.read()).metadata.finalizers ?? []], [0, []]);

      await target.client.patch(
        Workspace,
        key,
        { type: 'json', operations: [{ op: 'replace', path: '/status', value: status! }] },
        { subresource: 'status' },
      );
      await settle();
      await asking(target, sizes);
      await settle();
      t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
      t.deepEqual(
        party.boxes.map(({ name, size }) => `${name} ${size}`),
        [`a ${sizes.a}`],
      );
    });
