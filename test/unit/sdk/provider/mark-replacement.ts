/** Boxes of a third party that can replace marks. */

import type { ExternalResource } from '../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { times } from './a-keeper.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper, type ThirdParty } from './a-third-party.ts';

export type Resource = ExternalResource<Box, BoxId>;
type More = (party: ThirdParty) => Partial<Resource>;

/** A workspace’s boxes at a third party that can replace their marks. */
export async function aScene(identity: Resource['identity'] = 'tag', more: More = () => ({})) {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const integration = boxKeeper(party.resource(identity, { replaceMark: party.replaceMark, ...more(party) }));
  const actor = stage.actor([integration], { times });
  return { stage, party, actor, heir: () => stage.actor([integration], { holder: 'heir', times }) };
}

/** Reconciles for longer than any wait for a lost answer. */
export async function settled(stage: TargetCluster, actor: { walk(): Promise<unknown> }): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await actor.walk().catch(() => undefined);
    await stage.clock.advance(24_000);
  }
}

/** Expected and actual marks. */
export async function marks({ stage, party }: { readonly stage: TargetCluster; readonly party: ThirdParty }) {
  const { uid } = (await stage.read()).metadata;
  return {
    expected: party.boxes.map(({ name }) => `${uid}/Boxes/${name}`),
    found: party.boxes.map(({ mark }) => mark),
  };
}

export const markReplacements = ({ calls }: ThirdParty): readonly string[] =>
  calls.filter((call) => call.startsWith('replaceMark'));

export const reading =
  (party: ThirdParty): NonNullable<Resource['observe']> =>
  async ({ id }) => {
    const box = party.boxes.find((one) => one.id === id);
    return box && { state: { size: box.size }, mark: box.mark };
  };
