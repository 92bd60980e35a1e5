import test from 'ava';
import {
  type Client,
  conditionOf,
  ensureCrds,
  ignoreNotFound,
  mirrorAnnotation,
  Namespace,
  Workspace,
} from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { aSeal, mirroredRefs } from '../../../unit/a-seal.ts';
import { boxes, key, putStatus } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper, type ThirdParty } from '../../../unit/sdk/provider/a-third-party.ts';
import { eventsAbout, eventually, workspaceGone } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };
const mirror = mirrorAnnotation('Boxes');
type Key = typeof key;
type Ref = { readonly slot: string };
type Identity = Parameters<ThirdParty['resource']>[0];

const sizes = ({ boxes: all }: ThirdParty): readonly string[] => all.map(({ name, size }) => `${name} ${size}`).sort();

/** Waits until the condition is about the present spec and no lock is held. */
const settled = (client: Client, one: Key): Promise<Workspace> =>
  eventually(`${one.namespace}/${one.name} is settled`, async () => {
    const workspace = await client.get(Workspace, one);
    const { status, observedGeneration } = conditionOf(workspace, 'Boxes');
    const current = observedGeneration === workspace.metadata.generation;
    return current && ['Completed', 'Error', 'Unknown'].includes(status) ? workspace : undefined;
  });

/** Waits until a workspace of any namespace is gone. */
const gone = (client: Client, one: Key) =>
  eventually(`${one.namespace}/${one.name} is gone`, async () =>
    (await ignoreNotFound(client.get(Workspace, one))) === undefined ? true : undefined,
  );

/** Parts of the original in a copy, besides the annotations. */
interface CopiedParts {
  readonly finalizers: boolean;
  /** As a backup tool does that restores into another namespace with the status. */
  readonly status: boolean;
}

/** Does `kubectl get -o yaml | sed s/shop/copy/ | kubectl create -f -`, which leaves out the resourceVersion alone. */
async function copied(client: Client, copy: Key, { finalizers, status }: CopiedParts): Promise<Workspace> {
  const { metadata, ...rest } = await client.get(Workspace, key);
  const { resourceVersion: _, finalizers: claims = [], ...kept } = metadata;
  const created = await client.create(Workspace, {
    ...rest,
    metadata: { ...kept, ...copy, finalizers: finalizers ? claims : [] },
    spec: boxes({ a: 7 }),
  });
  return status ? putStatus(client, copy, rest.status) : created;
}

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  /** Runs a sequencer with one workspace, which has a box of size 1, while `act` runs. */
  async function beside(identity: Identity, act: (party: ThirdParty, original: Workspace) => Promise<void>) {
    const party = aThirdParty();
    await ensureCrds(client, [Workspace]);
    const stopping = new AbortController();
    const integrations = [boxKeeper(party.resource(identity))];
    const running = createSequencer({ client, integrations, seal: aSeal, times }).run(stopping.signal);
    try {
      await client.create(Workspace, { metadata: key, spec: boxes({ a: 1 }) });
      await act(party, await settled(client, key));
      await client.delete(Workspace, key);
      await workspaceGone(client, key.name);
    } finally {
      stopping.abort();
      await running;
    }
  }
  const foreignIds = async (one: Key): Promise<readonly (number | undefined)[]> =>
    (await eventsAbout(client, one)).filter(({ reason }) => reason === 'ForeignIds').map(({ count = 1 }) => count);
  const reported = (one: Key) =>
    eventually(`the event about ${one.name}`, async () => ((await foreignIds(one)).length > 0 ? true : undefined));
  const resized = (one: Key, size: number) =>
    client.patch(Workspace, one, { type: 'merge', value: { spec: boxes({ a: size }) } });

  for (const [forgery, textOf] of [
    ['an id', ({ id }: { readonly id: string }) => JSON.stringify([{ slot: 'a', id: { id }, hash: '' }])],
    ['a signed text', (_: unknown, original: Workspace) => original.metadata.annotations?.[mirror] ?? ''],
  ] as const)
    test.serial(
      `${name}: ${forgery} of another namespace’s workspace that a tenant writes reaches nothing, and is reported once`,
      async (t) => {
        t.timeout(180_000);
        const evil = { namespace: `evil-${forgery.replaceAll(' ', '-')}`, name: 'evil' };
        await client.create(Namespace, { metadata: { name: evil.namespace } });
        await beside('opaque', async (party, original) => {
          const [thing] = party.boxes;
          const annotations = { [mirror]: textOf(thing!, original) };
          t.not(annotations[mirror], '');
          await client.create(Workspace, { metadata: { ...evil, annotations }, spec: boxes({}) });
          await settled(client, evil);
          await reported(evil);
          const other = await client.patch(Workspace, evil, { type: 'merge', value: { spec: boxes({ b: 2 }) } });
          t.is(other.metadata.generation, 2);
          t.deepEqual(
            (mirroredRefs(await settled(client, evil), 'Boxes') as readonly Ref[] | undefined)?.map(({ slot }) => slot),
            ['b'],
          );
          await client.delete(Workspace, evil);
          await gone(client, evil);
          t.deepEqual(party.boxes, [thing]);
          t.deepEqual(await foreignIds(evil), [1]);
        });
      },
    );

  for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
    for (const [parts, finalizers, status] of [
      ['with finalizers', true, false],
      ['without finalizers', false, false],
      ['with finalizers and status', true, true],
    ] as const)
      test.serial(
        `${name}: a copy ${parts} touches nothing of its original, when it is changed and when it is deleted (${identity})`,
        async (t) => {
          t.timeout(180_000);
          const copy = { namespace: 'default', name: `copy-${parts.replaceAll(' ', '-')}-${identity}` };
          await beside(identity, async (party, original) => {
            const [thing] = party.boxes;
            const { metadata } = await copied(client, copy, { finalizers, status });
            t.not(metadata.uid, original.metadata.uid);
            await settled(client, copy);
            await reported(copy);
            await resized(copy, 8);
            const resizedCopy = conditionOf(await settled(client, copy), 'Boxes');
            t.is(resizedCopy.status, identity === 'name' ? 'Error' : 'Completed', resizedCopy.reason);
            t.deepEqual(sizes(party), identity === 'name' ? ['a 1'] : ['a 1', 'a 8']);
            await client.delete(Workspace, copy);
            await gone(client, copy);
            t.deepEqual(party.boxes, [thing]);
            t.deepEqual([...new Set(await foreignIds(copy))], [1], 'each once');
            await resized(key, 2);
            await settled(client, key);
            t.deepEqual(sizes(party), ['a 2']);
          });
          t.pass('nothing is left of the original either');
        },
      );
}
