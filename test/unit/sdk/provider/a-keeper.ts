/** Integration under test that keeps a workspace's boxes. */

import { type Client, conditionOf, type ExternalResource, type ObjectKey, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper, type Stored, type ThirdParty } from './a-third-party.ts';

export const times = { lease: 10_000, maxRequest: 2_000 };
export const key = { namespace: 'default', name: 'shop' };
export const boxes = (sizes: Readonly<Record<string, number>>) => ({ integrations: { boxes: sizes } });
export const want = (stage: TargetCluster, sizes: Readonly<Record<string, number | null>>) =>
  stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { boxes: sizes } } } });
export const said = async (stage: TargetCluster): Promise<string> => {
  const { status, reason } = conditionOf(await stage.read(), 'Boxes');
  return `${status}: ${reason}`;
};

/** Writes the status of another object, as a backup tool does that restores statuses. */
export const putStatus = (client: Client, key: ObjectKey, value: Workspace['status']): Promise<Workspace> =>
  client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'add', path: '/status', value }] },
    { subresource: 'status' },
  );

/** Restores from a backup: the old object is deleted without running its finalizers, a new one has its annotations and no status. */
export async function restored(
  stage: TargetCluster,
  { finalizers }: { readonly finalizers: boolean } = { finalizers: true },
): Promise<void> {
  const { metadata, spec } = await stage.read();
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await stage.delete().catch(() => undefined); // an object already being deleted is gone by now
  const kept = {
    annotations: metadata.annotations ?? {},
    ...(finalizers && { finalizers: metadata.finalizers ?? [] }),
  };
  await stage.client.create(Workspace, { metadata: { ...key, ...kept }, spec });
}

/** Creates a box whose answer is lost; every process that could have known is dead by the time the next pass looks for it. */
export async function makeWithoutAnswer(
  stage: TargetCluster,
  party: ThirdParty,
  actor: { readonly walk: () => Promise<unknown> },
): Promise<void> {
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await stage.create(boxes({ a: 1 }));
  await actor.walk().catch(() => undefined);
  await actor.walk();
  await stage.clock.advance(2_000);
}

/** A workspace’s boxes at a third party of that identity, kept by one sequencer and by its successor. */
export async function aKeeper(
  identity: ExternalResource<Box, BoxId>['identity'] = 'tag',
  more: Partial<ExternalResource<Box, BoxId>> = {},
) {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const integration = boxKeeper(party.resource(identity, more));
  return {
    stage,
    party,
    actor: stage.actor([integration], { times }),
    heir: () => stage.actor([integration], { holder: 'heir', times }),
  };
}

/** Reconciles until nothing is pending. */
export async function settled(stage: TargetCluster, actor: { walk(): Promise<unknown> }): Promise<void> {
  await actor.walk();
  await stage.clock.advance(24_000);
  await actor.walk();
  await actor.walk();
}

/** A resource's `findAll` over these boxes. */
export const listing = (kept: readonly Stored[]) => ({
  findAll: async ({ mark }: { readonly mark: string }) =>
    kept
      .filter((box) => box.mark.startsWith(mark))
      .map((box) => ({ slot: box.mark.slice(mark.length), id: { id: box.id } })),
});
