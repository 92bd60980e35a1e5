import test from 'ava';
import { sealSecretName } from '../../../../sdk/host/index.ts';
import { type Client, conditionOf, createClient, ensureCrds, Secret, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { boxes, key } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper, type ThirdParty } from '../../../unit/sdk/provider/a-third-party.ts';
import { run, sequencerArguments } from '../programs.ts';
import { workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };
const sealSecret = { namespace: 'default', name: sealSecretName };

/** Runs a sequencer, whose key is in the cluster, while `act` runs. */
async function sequencing(client: Client, party: ThirdParty, act: () => Promise<void>): Promise<void> {
  const integrations = [boxKeeper(party.resource('tag', { remark: party.remark }))];
  await ensureCrds(client, [Workspace]);
  const stopping = new AbortController();
  const running = createSequencer({ client, integrations, times }).run(stopping.signal);
  try {
    await act();
  } finally {
    stopping.abort();
    await running;
  }
}

const boxesAre = (client: Client, status: string) =>
  workspaceThat(client, key.name, (workspace) => conditionOf(workspace, 'Boxes').status === status);

/** Makes a workspace in a cluster that is lost then. @returns its backup, and that of the operator's key */
async function fromALostCluster(party: ThirdParty) {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  let workspace: Workspace | undefined;
  await sequencing(client, party, async () => {
    await client.create(Workspace, { metadata: key, spec: boxes({ a: 1 }) });
    workspace = await boxesAre(client, 'Completed');
  });
  const { data = {} } = await client.get(Secret, sealSecret);
  await client.close();
  await cluster.close();
  const { metadata, spec } = workspace!;
  const { annotations = {}, finalizers = [], uid = '' } = metadata;
  return { data, uid, restored: { metadata: { ...key, annotations, finalizers }, spec } };
}

for (const { name, client, kubeconfigPath, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  test.serial(
    `${name}: a workspace of another cluster’s backup waits for a person, who has it taken over`,
    async (t) => {
      t.timeout(240_000);
      const party = aThirdParty();
      const { data, uid, restored } = await fromALostCluster(party);
      await client.create(Secret, { metadata: sealSecret, data });
      await sequencing(client, party, async () => {
        await client.create(Workspace, restored);
        const { reason } = conditionOf(await boxesAre(client, 'Unknown'), 'Boxes');
        t.regex(reason, new RegExp(`operator of another cluster .* for workspace uid ${uid}`));
        t.deepEqual(party.calls, ['create a']);
        const says = async (...command: readonly [string, ...string[]]) => {
          const [verb, ...rest] = command;
          const args = sequencerArguments(verb, ...rest, '--kubeconfig', kubeconfigPath);
          const { code, stdout, stderr } = await run(process.execPath, args);
          t.is(code, 0, stderr);
          return stdout;
        };
        t.regex(await says('adopt', key.name, '--was', uid), /sequencer resolve shop Boxes --retry/);
        await says('resolve', key.name, 'Boxes', '--retry');
        const { metadata } = await boxesAre(client, 'Completed');
        t.deepEqual(
          party.boxes.map(({ mark }) => mark),
          [`${metadata.uid}/Boxes/a`],
        );
        t.deepEqual(party.calls, ['create a', 'remark a']);
        await client.delete(Workspace, key);
        await workspaceGone(client, key.name);
        t.deepEqual(party.boxes, []);
      });
    },
  );
}
