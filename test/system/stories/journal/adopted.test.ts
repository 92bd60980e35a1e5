import test from 'ava';
import { conditionOf, ensureCrds, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { boxes, key } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../unit/sdk/provider/a-third-party.ts';
import { run, sequencerArguments } from '../programs.ts';
import { eventually, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };

for (const { name, client, kubeconfigPath, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  const boxesAre = (status: string) =>
    workspaceThat(client, key.name, (workspace) => conditionOf(workspace, 'Boxes').status === status);

  for (const [identity, meanwhile] of [
    ['name', 'Error'],
    ['tag', 'Completed'],
  ] as const)
    test.serial(
      `${name}: a workspace that is applied again without annotations has its former things once a person says whose they are (${identity})`,
      async (t) => {
        t.timeout(180_000);
        const party = aThirdParty();
        await ensureCrds(client, [Workspace]);
        const started = () => {
          const stopping = new AbortController();
          const integrations = [boxKeeper(party.resource(identity))];
          const running = createSequencer({ client, integrations, times }).run(stopping.signal);
          return async () => {
            stopping.abort();
            await running;
          };
        };
        const applied = { metadata: key, spec: boxes({ a: 1 }) };
        let stop = started();
        try {
          await client.create(Workspace, applied);
          const { uid = '' } = (await boxesAre('Completed')).metadata;
          const [former] = party.boxes;
          await stop(); // or it would claim the workspace again before it is deleted
          await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
          await client.delete(Workspace, key);
          await client.create(Workspace, applied);
          stop = started();
          await boxesAre(meanwhile);
          t.is(party.boxes.length, identity === 'name' ? 1 : 2);

          const command = sequencerArguments('adopt', key.name, '--was', uid, '--kubeconfig', kubeconfigPath);
          const adopted = await run(process.execPath, command);
          t.is(adopted.code, 0, adopted.stderr);
          t.regex(adopted.stdout, new RegExp(`adopted +what uid ${uid} had: Boxes`));
          await eventually('the former box is the only one', async () => {
            const { status } = conditionOf(await client.get(Workspace, key), 'Boxes');
            return (status === 'Completed' && party.boxes.length === 1) || undefined;
          });
          t.deepEqual(party.boxes, [former]);
          const changed = { metadata: key, spec: boxes({ a: 2 }) };
          await client.patch(Workspace, key, { type: 'merge', value: { spec: changed.spec } });
          await eventually('the former box is changed', async () => party.boxes[0]?.size === 2 || undefined);
          t.is(party.boxes[0]?.id, former?.id);
          await boxesAre('Completed');
          await client.delete(Workspace, key);
          await workspaceGone(client, key.name);
          t.deepEqual(party.boxes, []);
        } finally {
          await stop();
        }
      },
    );
}
