import { randomBytes } from 'node:crypto';
import test from 'ava';
import { loadSeal, readMirror, sealSecretName } from '../../../../sdk/host/index.ts';
import { conditionOf, ensureCrds, Secret, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { boxes, key } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../unit/sdk/provider/a-third-party.ts';
import { eventually, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };
const sealSecret = { namespace: 'default', name: sealSecretName };

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  const completed = () =>
    workspaceThat(client, key.name, (workspace) => conditionOf(workspace, 'Boxes').status === 'Completed');
  const change = (data: Readonly<Record<string, string | null>>) =>
    client.patch(Secret, sealSecret, { type: 'merge', value: { data } });

  test.serial(
    `${name}: ids that the former key has signed are used after a second one was added, and signed anew by it`,
    async (t) => {
      t.timeout(180_000);
      const party = aThirdParty();
      await ensureCrds(client, [Workspace]);
      const started = () => {
        const stopping = new AbortController();
        const integrations = [boxKeeper(party.resource('opaque'))];
        const running = createSequencer({ client, integrations, times }).run(stopping.signal);
        return async () => {
          stopping.abort();
          await running;
        };
      };
      let stop = started();
      try {
        await client.create(Workspace, { metadata: key, spec: boxes({ a: 1 }) });
        const { metadata, spec } = await completed();
        await stop(); // or it would claim the workspace again before it is deleted
        await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
        await client.delete(Workspace, key);
        await change({ 'key-2': randomBytes(32).toString('base64') });
        const { annotations = {}, finalizers = [] } = metadata;
        await client.create(Workspace, { metadata: { ...key, annotations, finalizers }, spec });
        stop = started();
        await completed();
        t.deepEqual(party.calls, ['create a']);
        await client.patch(Workspace, key, { type: 'merge', value: { spec: boxes({ a: 1, b: 2 }) } });
        await eventually('another box', async () => party.boxes.length === 2 || undefined);
        await completed();
        await change({ 'key-1': null });
        const second = await loadSeal(client, sealSecret.namespace);
        await eventually('the mirror is signed by the second key', async () => {
          const mirror = readMirror(second, await client.get(Workspace, key), 'Boxes');
          return (mirror.kind === 'own' && mirror.record.refs.length === 2) || undefined;
        });
        await client.delete(Workspace, key);
        await workspaceGone(client, key.name);
        t.deepEqual(party.boxes, []);
        t.deepEqual(
          party.calls.filter((call) => call.startsWith('create')),
          ['create a', 'create b'],
        );
      } finally {
        await stop();
      }
    },
  );
}
