import test from 'ava';
import { conditionOf, ensureCrds, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { aSeal } from '../../../unit/a-seal.ts';
import { boxes, key, putStatus } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../unit/sdk/provider/a-third-party.ts';
import { eventually, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  const completed = () =>
    workspaceThat(client, key.name, (workspace) => conditionOf(workspace, 'Boxes').status === 'Completed');

  for (const [identity, backup] of [
    ['tag', 'with finalizers'],
    ['tag', 'without finalizers'],
    ['tag', 'with finalizers and status'],
    ['name', 'with finalizers'],
    ['name', 'without finalizers'],
    ['name', 'with finalizers and status'],
  ] as const)
    test.serial(
      `${name}: a workspace restored from a backup ${backup} takes its things over, and removes them (${identity})`,
      async (t) => {
        t.timeout(180_000);
        const party = aThirdParty();
        const marked = identity === 'tag';
        await ensureCrds(client, [Workspace]);
        const integrations = [boxKeeper(party.resource(identity, marked ? { replaceMark: party.replaceMark } : {}))];
        const started = () => {
          const stopping = new AbortController();
          const running = createSequencer({ client, integrations, seal: aSeal, times }).run(stopping.signal);
          return async () => {
            stopping.abort();
            await running;
          };
        };
        let stop = started();
        try {
          await client.create(Workspace, { metadata: key, spec: boxes({ a: 1, b: 2 }) });
          const { metadata, spec, status } = await completed();
          await stop(); // or it would claim the workspace again before it is deleted
          await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
          await client.delete(Workspace, key);
          await client.create(Workspace, {
            metadata: {
              ...key,
              annotations: metadata.annotations ?? {},
              finalizers: backup === 'without finalizers' ? [] : (metadata.finalizers ?? []),
            },
            spec,
          });
          if (backup.endsWith('status')) await putStatus(client, key, status);
          stop = started();
          const { uid } = (await completed()).metadata;
          t.not(uid, metadata.uid);
          const owner = marked ? uid : metadata.uid;
          const marks = `${owner}/Boxes/a ${owner}/Boxes/b`;
          await eventually(`the marks are ${marks}`, async () =>
            party.boxes.map(({ mark }) => mark).join(' ') === marks ? true : undefined,
          );
          const calls = party.calls.filter((call) => !call.startsWith('update'));
          t.deepEqual(calls, ['create a', 'create b', ...(marked ? ['replaceMark a', 'replaceMark b'] : [])]);
          await client.delete(Workspace, key);
          await workspaceGone(client, key.name);
          t.deepEqual(party.boxes, []);
        } finally {
          await stop();
        }
      },
    );
}
