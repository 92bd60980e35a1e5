import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { canonicalJson, conditionOf, Workspace, type WorkspaceSpec, type WorkspaceStatus } from '../../../sdk/index.ts';
import { aSeal } from '../../unit/a-seal.ts';
import { aTargetCluster } from '../../unit/a-target-cluster.ts';
import { key, times } from '../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper, type Stored } from '../../unit/sdk/provider/a-third-party.ts';

/** A workspace that an earlier build has left, and its boxes at the third party. */
interface Recorded {
  readonly identity: 'name' | 'tag' | 'key' | 'opaque';
  readonly moment: string;
  readonly metadata: {
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: WorkspaceSpec;
  readonly status?: WorkspaceStatus;
  readonly boxes: readonly Stored[];
}

/** Signs a mirror anew, after the uid in it was changed. */
function resigned(text: string): string {
  const { seal: _, ...record } = JSON.parse(text);
  return JSON.stringify({ ...record, seal: aSeal.sign(canonicalJson(record)) });
}

/** Puts a recorded workspace into a cluster, under the uid that it gets there. */
async function replayed(recorded: Recorded) {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const { metadata, spec } = recorded;
  const { finalizers = [] } = metadata;
  const { uid = '' } = (await target.client.create(Workspace, { metadata: { ...key, finalizers }, spec })).metadata;
  const renamed = JSON.parse(JSON.stringify(recorded).replaceAll(metadata.uid, uid)) as Recorded;
  const { annotations = {} } = renamed.metadata;
  const sealed = Object.fromEntries(Object.entries(annotations).map(([name, text]) => [name, resigned(text)]));
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: sealed } } });
  const value = { status: renamed.status };
  await target.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
  party.boxes.push(...renamed.boxes);
  party.calls.push(...renamed.boxes.map(() => 'by the earlier build'));
  const actor = target.actor([boxKeeper(party.resource(recorded.identity))], { holder: 'present', times });
  const settled = async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await actor.walk().catch(() => undefined);
      await target.clock.advance(24_000);
    }
  };
  return { target, party, settled };
}

const folder = join(import.meta.dirname, 'journals');

for (const file of globSync('*.json', { cwd: folder }).sort())
  for (const recorded of JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly Recorded[]) {
    const { identity, moment, spec } = recorded;

    test(`${file}, ${identity}, ${moment}: the present build continues from it, makes nothing twice, and leaves nothing`, async (t) => {
      const { target, party, settled } = await replayed(recorded);
      await settled();
      const { status, reason } = conditionOf(await target.read(), 'Boxes');
      const sizes = Object.entries((spec.integrations?.boxes ?? {}) as Readonly<Record<string, number>>);
      const there = party.boxes.map(({ name }) => name).sort();
      t.is(new Set(there).size, there.length, 'nothing is there twice');
      if (status === 'Unknown') {
        t.is(identity, 'opaque', reason);
        t.deepEqual(party.boxes.length, recorded.boxes.length, 'a person is asked, and nothing is made');
        return;
      }
      t.is(status, 'Completed', reason);
      const wanted = sizes.map(([name, size]) => `${name} ${size}`).sort();
      t.deepEqual(party.boxes.map(({ name, size }) => `${name} ${size}`).sort(), wanted);
      await target.delete();
      await settled();
      await t.throwsAsync(target.read(), { name: 'NotFoundError' });
      t.deepEqual(party.boxes, []);
    });
  }
