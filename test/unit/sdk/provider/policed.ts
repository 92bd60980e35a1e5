/** Boxes kept under a policy. */

import {
  conditionOf,
  type Integration,
  type ManagementPolicy,
  policyAnnotation,
  Workspace,
} from '../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { boxes, key, times } from './a-keeper.ts';
import { aThirdParty, boxKeeper, type ThirdParty } from './a-third-party.ts';

/** Sets annotations of the workspace. */
export const annotate = (stage: TargetCluster, annotations: Readonly<Record<string, string | null>>) =>
  stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
/** Sets a policy of the workspace, for one condition or for all. */
export const policed = (stage: TargetCluster, policy: ManagementPolicy | null, condition?: string) =>
  annotate(stage, { [policyAnnotation(condition)]: policy });
/** Message of a condition. */
export const said = async (stage: TargetCluster, type = 'Boxes'): Promise<string> => {
  const { status, reason } = conditionOf(await stage.read(), type);
  return `${status}: ${reason}`;
};
/** Existing boxes with their sizes. */
export const names = ({ boxes: there }: ThirdParty) => there.map(({ name, size }) => `${name} ${size}`);

/** Boxes kept under a policy of the integration or of the workspace. */
export async function aScene(policy?: ManagementPolicy, sizes: Readonly<Record<string, number>> = { a: 1 }) {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const integration: Integration = { ...boxKeeper(party.resource('tag')), ...(policy && { policy }) };
  await stage.create(boxes(sizes));
  return { stage, party, actor: stage.actor([integration], { times }) };
}
