import test from 'ava';
import { loadSeal, type Seal, sealSecretName } from '../../../../sdk/host/index.ts';
import {
  type Client,
  conditionOf,
  createClient,
  ensureCrds,
  ignoreNotFound,
  Secret,
  Workspace,
} from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { boxes, key, putStatus } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper, type ThirdParty } from '../../../unit/sdk/provider/a-third-party.ts';
import { run, sequencerArguments } from '../programs.ts';
import { workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };
const sealSecret = { namespace: 'default', name: sealSecretName };

interface World {
  readonly client: Client;
  readonly party: ThirdParty;
  readonly seal?: Seal;
}

/** Runs a sequencer, whose key is in the cluster, while `act` runs. An unknown signature has it read that key again, after a minute, unless it is given. */
async function sequencing({ client, party, seal }: World, act: () => Promise<void>): Promise<void> {
  const integrations = [boxKeeper(party.resource('tag', { replaceMark: party.replaceMark }))];
  await ensureCrds(client, [Workspace]);
  const stopping = new AbortController();
  const running = createSequencer({ client, integrations, times, ...(seal && { seal }) }).run(stopping.signal);
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
  await sequencing({ client, party }, async () => {
    await client.create(Workspace, { metadata: key, spec: boxes({ a: 1 }) });
    workspace = await boxesAre(client, 'Completed');
  });
  const { data = {} } = await client.get(Secret, sealSecret);
  await client.close();
  await cluster.close();
  const { metadata, spec, status } = workspace!;
  const { annotations = {}, finalizers = [], uid = '' } = metadata;
  return { data, uid, status, restored: { metadata: { ...key, annotations, finalizers }, spec } };
}

for (const { name, client, kubeconfigPath, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  const says = async (...command: readonly [string, ...string[]]) => {
    const [verb, ...rest] = command;
    const args = sequencerArguments(verb, ...rest, '--kubeconfig', kubeconfigPath);
    const { code, stdout, stderr } = await run(process.execPath, args);
    return { code, text: `${stdout}${stderr}` };
  };

  for (const kept of ['', ' with its status'] as const)
    test.serial(
      `${name}: a workspace of another cluster’s backup${kept} waits for a person, who has it taken over`,
      async (t) => {
        t.timeout(240_000);
        const party = aThirdParty();
        const { data, uid, status, restored } = await fromALostCluster(party);
        await ignoreNotFound(client.delete(Secret, sealSecret));
        await client.create(Secret, { metadata: sealSecret, data });
        await sequencing({ client, party }, async () => {
          await client.create(Workspace, restored);
          if (kept) await putStatus(client, key, status);
          const { reason } = conditionOf(await boxesAre(client, 'Unknown'), 'Boxes');
          t.regex(reason, new RegExp(`operator of another cluster .* for workspace uid ${uid}`));
          t.deepEqual(party.calls, ['create a']);
          const typo = await says(
            'adopt',
            key.name,
            '--was',
            uid.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
          );
          t.is(typo.code, 1);
          t.regex(
            typo.text,
            new RegExp(`E#2042: .*external.se.quencer.io/Boxes holds the ids of workspace uid ${uid}`),
          );
          const { metadata: unchanged } = await client.get(Workspace, key);
          t.deepEqual(unchanged.annotations, restored.metadata.annotations);
          const adopted = await says('adopt', key.name, '--was', uid);
          t.is(adopted.code, 0, adopted.text);
          t.regex(adopted.text, /sequencer resolve shop Boxes --retry/);
          t.is((await says('resolve', key.name, 'Boxes', '--retry')).code, 0);
          const { metadata } = await boxesAre(client, 'Completed');
          t.deepEqual(
            party.boxes.map(({ mark }) => mark),
            [`${metadata.uid}/Boxes/a`],
          );
          t.deepEqual(party.calls, ['create a', 'replaceMark a']);
          await client.delete(Workspace, key);
          await workspaceGone(client, key.name);
          t.deepEqual(party.boxes, []);
        });
      },
    );

  test.serial(
    `${name}: without that cluster’s Secret it waits too, and is taken over by its ids once a person trusts them`,
    async (t) => {
      t.timeout(240_000);
      const party = aThirdParty();
      const { uid, restored } = await fromALostCluster(party);
      const takenOver = async () => {
        await client.create(Workspace, restored);
        const { reason } = conditionOf(await boxesAre(client, 'Unknown'), 'Boxes');
        t.regex(
          reason,
          new RegExp(`is not in the Secret ${sealSecretName} of the operator: what workspace uid ${uid}`),
        );
        const refused = await says('adopt', key.name, '--was', uid);
        t.is(refused.code, 1);
        t.regex(refused.text, /It names .*box-1/);
        const adopted = await says('adopt', key.name, '--was', uid, '--ids', 'trust');
        t.is(adopted.code, 0, adopted.text);
        const { metadata } = await boxesAre(client, 'Completed');
        t.deepEqual(
          party.boxes.map(({ mark }) => mark),
          [`${metadata.uid}/Boxes/a`],
        );
        const calls = party.calls.filter((call) => !call.startsWith('update'));
        t.deepEqual(calls, ['create a', 'replaceMark a']);
        await client.delete(Workspace, key);
        await workspaceGone(client, key.name);
        t.deepEqual(party.boxes, []);
      };
      await sequencing({ client, party, seal: await loadSeal(client, sealSecret.namespace) }, takenOver);
    },
  );
}
