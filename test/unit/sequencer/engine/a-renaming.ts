/** A workspace whose integration is registered under another condition. */

import { Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { boxes, key, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';

/** Walks four times, with time for a lease in between. */
export async function settled(target: TargetCluster, actor: { walk(): Promise<unknown> }): Promise<void> {
  for (let walks = 0; walks < 4; walks += 1) {
    await actor.walk().catch(() => undefined);
    await target.clock.advance(24_000);
  }
}

/** Removes the status. */
export const wipeStatus = (target: TargetCluster): Promise<unknown> =>
  target.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );

/** Puts the status back to a moment after the claim and before the first attempt. */
export async function putBackToNone(target: TargetCluster): Promise<void> {
  const entry = { phase: 'none', token: 0, mirrored: null, refs: null };
  const value = { status: { conditions: null, guards: { Boxes: entry, Crates: null } } };
  await target.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
}

/** A workspace with boxes made under the condition `Boxes`, and a sequencer with an integration that now reports `Crates`. */
export async function aRenaming(identity: 'tag' | 'opaque' = 'tag') {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const keeper = boxKeeper(party.resource(identity));
  await target.create(boxes({ a: 1, b: 2 }));
  await target.actor([keeper], { times }).walk();
  const renamed = target.actor([{ ...keeper, condition: 'Crates' }], { holder: 'renamed', times });
  return { stage: target, party, keeper, renamed };
}
