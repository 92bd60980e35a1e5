import test from 'ava';
import { loadSeal, sealSecretName } from '../../../../sdk/host/index.ts';
import { conditionOf, type ExternalResource, ensureCrds, Secret, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { boxes, key } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper } from '../../../unit/sdk/provider/a-third-party.ts';
import { run, sequencerArguments } from '../programs.ts';
import { eventsAbout, eventually, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 3_000, margin: 500, maxRequest: 500 };
const sealSecret = { namespace: 'default', name: sealSecretName };

for (const { name, client, kubeconfigPath, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  const says = async (...command: readonly [string, ...string[]]) => {
    const [verb, ...rest] = command;
    const args = sequencerArguments(verb, ...rest, '--kubeconfig', kubeconfigPath);
    const { code, stdout, stderr } = await run(process.execPath, args);
    return { code, text: `${stdout}${stderr}` };
  };
  const boxesAre = (status: string) =>
    workspaceThat(client, key.name, (workspace) => conditionOf(workspace, 'Boxes').status === status);

  for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
    test.serial(
      `${name}: restored without the operator’s Secret, a workspace with identity ${identity} waits for a person, who has it taken over`,
      async (t) => {
        t.timeout(240_000);
        const party = aThirdParty();
        const more = identity === 'tag' ? { replaceMark: party.replaceMark } : {};
        const resource: ExternalResource<Box, BoxId> = party.resource(identity, more);
        await ensureCrds(client, [Workspace]);
        const started = async () => {
          const stopping = new AbortController();
          const seal = await loadSeal(client, sealSecret.namespace);
          const sequencer = createSequencer({ client, integrations: [boxKeeper(resource)], seal, times });
          const running = sequencer.run(stopping.signal);
          return async () => {
            stopping.abort();
            await running;
          };
        };
        let stop = await started();
        try {
          await client.create(Workspace, { metadata: key, spec: boxes({ a: 1, b: 2 }) });
          const { metadata, spec } = await boxesAre('Completed');
          const { uid = '', annotations = {}, finalizers = [] } = metadata;
          await stop();
          await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
          await client.delete(Workspace, key);
          await client.delete(Secret, sealSecret);
          await client.create(Workspace, { metadata: { ...key, annotations, finalizers }, spec });
          stop = await started();
          const { reason } = conditionOf(await boxesAre('Unknown'), 'Boxes');
          t.true(reason.includes(`is not in the Secret ${sealSecretName} of the operator: what workspace uid ${uid}`));
          await eventually('an event', async () =>
            (await eventsAbout(client, key)).some((event) => event.reason === 'SealLost') ? true : undefined,
          );
          t.deepEqual(party.calls, ['create a', 'create b']);
          const refused = await says('adopt', key.name, '--was', uid);
          t.is(refused.code, 1);
          t.regex(refused.text, /It names .*box-1.*box-2/s);
          const adopted = await says('adopt', key.name, '--was', uid, '--ids', 'trust');
          t.is(adopted.code, 0, adopted.text);
          await boxesAre('Completed');
          const creations = () => party.calls.filter((call) => call.startsWith('create'));
          t.deepEqual(creations(), ['create a', 'create b']);
          await client.delete(Workspace, key);
          await workspaceGone(client, key.name);
          t.deepEqual(party.boxes, []);
          t.deepEqual(creations(), ['create a', 'create b']);
        } finally {
          await stop();
        }
      },
    );
}
