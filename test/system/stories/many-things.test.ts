import test from 'ava';
import { conditionOf, ensureCrds, Workspace } from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/index.ts';
import { aSeal, mirroredRefs } from '../../unit/a-seal.ts';
import { aThirdParty, boxKeeper } from '../../unit/sdk/provider/a-third-party.ts';
import { workspaceGone, workspaceThat } from './sequencing.ts';
import { startClientsUnderTest } from './servers.ts';

const key = { namespace: 'default', name: 'crowded' };
const sizes = <T>(count: number, size: T) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`b${index}`, size]));

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  test(`${name}: 50 things of one condition are made, changed and removed, their ids in pages`, async (t) => {
    t.timeout(120_000);
    await ensureCrds(client, [Workspace]);
    const party = aThirdParty();
    const stop = new AbortController();
    const integrations = [boxKeeper(party.resource('key'))];
    const running = createSequencer({ client, integrations, seal: aSeal }).run(stop.signal);
    t.teardown(async () => {
      stop.abort();
      await running;
    });
    const settled = (count: number) =>
      workspaceThat(client, key.name, (workspace) => {
        const { status, observedGeneration } = conditionOf(workspace, 'Boxes');
        const isNow = status === 'Completed' && observedGeneration === workspace.metadata.generation;
        return isNow && mirroredRefs(workspace, 'Boxes')?.length === count;
      });
    const want = (boxes: object) =>
      client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { boxes } } } });

    await client.create(Workspace, { metadata: key, spec: { integrations: { boxes: sizes(50, 1) } } });
    const { metadata, status } = await settled(50);
    t.is(Object.keys(metadata.annotations ?? {}).length, 4);
    t.is(status?.guards?.Boxes?.refs?.length, 50);
    await want({ b0: 2, b20: 2, b49: 2, b30: null });
    t.deepEqual(
      (await settled(49)).status?.guards?.Boxes?.refs?.map(({ slot }) => slot),
      Object.keys(sizes(50, 1))
        .filter((slot) => slot !== 'b30')
        .sort(),
    );
    await want(sizes(45, null));
    t.is(Object.keys((await settled(5)).metadata.annotations ?? {}).length, 1);
    await client.delete(Workspace, key);
    await workspaceGone(client, key.name);
    t.deepEqual(party.boxes, []);
  });
}
